"""What is known by name: the data inside the package and those that their publishers hand out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from waypost.data.describe import describe
from waypost.data.download import Source, download

__all__ = ["CATALOG", "Entry", "cache_folder", "describe", "fetch"]


@dataclass(frozen=True)
class Entry:
    """One data set: what it is, on what terms, and where its publisher has it (None: it ships inside the package)."""

    name: str
    title: str
    terms: str
    source: Source | None = None
    format: str | None = None  # as `read_ratings` calls it


CATALOG: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("npm_deps", "npm packages and what they depend on, January 2017; ships with waypost", "MIT"),
        Entry(
            "movielens-25m",
            "MovieLens 25M: 25,000,095 ratings of films by 162,541 people",
            "research; no commercial use or passing on without permission (its README)",
            Source(
                "https://files.grouplens.org/datasets/movielens/ml-25m.zip",
                "ml-25m.zip",
                "md5:6b51fb2759a8657d3bfcbfc42b592ada",  # published beside the file
            ),
            "movielens",
        ),
        Entry(
            "amazon-movies-tv",
            "Amazon Movies and TV, 2014: ratings alone, 4.6 million",
            "research; cite the publisher's papers",
            Source(
                "https://snap.stanford.edu/data/amazon/productGraph/categoryFiles/ratings_Movies_and_TV.csv",
                "ratings_Movies_and_TV.csv",
            ),
            "amazon",
        ),
        Entry(
            "amazon-movies-tv-reviews",
            "Amazon Movies and TV, 2014: reviews of the 5-core, 1.7 million",
            "research; cite the publisher's papers",
            Source(
                "https://snap.stanford.edu/data/amazon/productGraph/categoryFiles/reviews_Movies_and_TV_5.json.gz",
                "reviews_Movies_and_TV_5.json.gz",
            ),
            "amazon-reviews",
        ),
        Entry(
            "echonest",
            "Echonest taste profile: 48 million play counts of songs by 1 million people",
            "research, non-commercial (Million Song Dataset)",
            Source(
                "http://labrosa.ee.columbia.edu/millionsong/sites/default/files/challenge/train_triplets.txt.zip",
                "train_triplets.txt.zip",
            ),
            "echonest",
        ),
    )
}


def fetch(
    name: str,
    folder: str | Path | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    *,
    catalog: Mapping[str, Entry] | None = None,
) -> Path:
    """The file of a data set: downloaded into `folder` (the cache folder by default) unless it is there already.

    A download that was cut off goes on where it stopped. The file appears under its name only when it is whole and its
    checksum, where the publisher gives one, is right. `progress` is called with the bytes that are there and the bytes
    of the whole file, or None where the server does not say.

    >>> path = fetch("movielens-25m")  # doctest: +SKIP
    """
    known = CATALOG if catalog is None else catalog
    if name not in known:
        raise ValueError(f"no data set is called {name!r}; pass one of {', '.join(known)}.")
    source = known[name].source
    if source is None:
        raise ValueError(f"{name} ships with waypost; read it by load_dataset({name!r}), nothing is to be fetched.")
    return download(source, Path(folder) if folder is not None else cache_folder() / "data", progress)


def cache_folder() -> Path:
    """The folder named by WAYPOST_CACHE, or waypost's own in the user's cache folder.

    >>> cache_folder().name  # doctest: +SKIP
    'waypost'
    """
    named = os.environ.get("WAYPOST_CACHE")
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "waypost")
