"""From ratings to items and queries: read, factorise, then split the users."""

from waypost.data.embedded import EMBEDDED, load_dataset
from waypost.data.factorize import AlsConfig, factorize
from waypost.data.factors import Factors
from waypost.data.implicit_model import from_implicit
from waypost.data.ratings import Ratings
from waypost.data.reading import FORMATS, read_ratings
from waypost.data.split import Split, split_queries, split_users
from waypost.data.synthetic import synthetic_factors
from waypost.data.vectors import read_ids, read_vectors

__all__ = [
    "EMBEDDED",
    "FORMATS",
    "AlsConfig",
    "Factors",
    "Ratings",
    "Split",
    "factorize",
    "from_implicit",
    "load_dataset",
    "read_ids",
    "read_ratings",
    "read_vectors",
    "split_queries",
    "split_users",
    "synthetic_factors",
]
