"""Rebuilds the data that ships inside waypost from the npm package dependent-packages.

    npm pack dependent-packages@2.2.2
    python tools/build_npm_deps.py dependent-packages-2.2.2.tgz src/waypost/data/npm_deps.xz

The package holds two archives of JSON files: for each package that others depend on, a list of those others, once for
dependencies and once for devDependencies.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from waypost.atomic import replacing
from waypost.data.compact import Named, pack
from waypost.data.names import texts

SHA256 = "31fcbe7a4b5f11eddb2aaca15406b375f01be1f8d1e55dc25de8e5b5b03c9970"
DEPENDENCY, DEVELOPMENT = 2, 1
ARCHIVES = {"package/dependents.tgz": DEPENDENCY, "package/devDependents.tgz": DEVELOPMENT}

Edges = dict[tuple[str, str], int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="dependent-packages-2.2.2.tgz, as npm pack writes it")
    parser.add_argument("out", type=Path, help="where the packed data go")
    arguments = parser.parse_args()
    content = arguments.package.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != SHA256:
        parser.error(f"{arguments.package} has the SHA-256 {found}, not that of dependent-packages 2.2.2")
    named = as_named(*cleaned(edges_of(content)))
    packed = pack(named)
    with replacing(arguments.out) as file:
        file.write(packed)
    print(
        f"{named.matrix.shape} with {named.matrix.nnz:,} dependencies in {len(packed):,} bytes", *named.notes, sep="\n"
    )


def edges_of(content: bytes) -> Iterator[tuple[str, str, int]]:
    """Who depends on what, and how, as the package has it."""
    with tarfile.open(fileobj=io.BytesIO(content)) as package:
        for archive, kind in ARCHIVES.items():
            with tarfile.open(fileobj=package.extractfile(archive)) as files:
                for file in files:
                    if file.isfile():
                        item = Path(file.name).name.removesuffix(".json")
                        for user in json.load(files.extractfile(file)):
                            yield user, item, kind


def cleaned(edges: Iterator[tuple[str, str, int]]) -> tuple[Edges, tuple[str, ...]]:
    """Names without spaces around them, none of them empty, and of two kinds of one dependency the stronger."""
    kept: Edges = {}
    count: Counter[str] = Counter()
    odd: set[str] = set()
    for user, item, kind in edges:
        pair = user.strip(), item.strip()
        odd |= {name for name in (user, item) if name != name.strip()}
        count["spaced"] += pair != (user, item)
        if not all(pair):
            count["nameless"] += 1
            continue
        count["both"] += pair in kept
        kept[pair] = max(kind, kept.get(pair, 0))
    return kept, _notes(count, odd)


def _notes(count: Counter[str], odd: set[str]) -> tuple[str, ...]:
    return (
        "From the npm package dependent-packages 2.2.2 (MIT, Zeke Sikelianos), npm in January 2017: 2 is a dependency, "
        "1 one of development only.",
        f"Left out {count['nameless']:,} dependency on a package whose name is empty.",
        f"Took the spaces off {len(odd):,} names, which {count['spaced']:,} dependencies had.",
        f"Merged {count['both']:,} dependencies that were named twice: as both kinds, or by two spellings.",
    )


def as_named(edges: Edges, notes: tuple[str, ...]) -> Named:
    users, user = np.unique([user for user, _ in edges], return_inverse=True)
    items, item = np.unique([item for _, item in edges], return_inverse=True)
    kinds = np.fromiter(edges.values(), np.int8, len(edges))
    matrix = csr_matrix((kinds, (user, item)), shape=(len(users), len(items)))
    return Named(matrix, texts(users.tolist()), texts(items.tolist()), notes)


if __name__ == "__main__":
    main()
