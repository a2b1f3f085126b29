"""From ratings to items and queries: read, factorise, then split the users."""

from waypost.data.embedded import EMBEDDED, load_dataset
from waypost.data.factorize import AlsConfig, Factors, factorize
from waypost.data.ratings import Ratings
from waypost.data.reading import FORMATS, read_ratings
from waypost.data.split import Split, split_users
from waypost.data.vectors import read_ids, read_vectors

__all__ = [
    "EMBEDDED",
    "FORMATS",
    "AlsConfig",
    "Factors",
    "Ratings",
    "Split",
    "factorize",
    "load_dataset",
    "read_ids",
    "read_ratings",
    "read_vectors",
    "split_users",
]
