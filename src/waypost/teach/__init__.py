"""What queries teach a graph: which items answer, which edges lead to answers, and what can wait."""

from waypost.teach.teaching import teach_graph

__all__ = ["teach_graph"]
