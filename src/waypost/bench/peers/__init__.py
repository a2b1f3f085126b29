"""The peers of the side-by-side comparison: one small class, one file a backend."""

from __future__ import annotations

from waypost.bench.peers.blas_peer import Blas
from waypost.bench.peers.diskann_peer import DiskAnn
from waypost.bench.peers.faiss_hnsw_peer import FaissHnsw
from waypost.bench.peers.faiss_ivf_pq_peer import FaissIvfPq
from waypost.bench.peers.faiss_sq8_peer import FaissSq8
from waypost.bench.peers.hnswlib_peer import Hnswlib
from waypost.bench.peers.implicit_peer import Implicit
from waypost.bench.peers.lorann_peer import Lorann
from waypost.bench.peers.peer import Peer, Unusable
from waypost.bench.peers.scann_peer import Scann
from waypost.bench.peers.svs_peer import Svs
from waypost.bench.peers.usearch_peer import Usearch
from waypost.bench.peers.voyager_peer import Voyager
from waypost.bench.peers.waypost_peer import Waypost

OURS = Waypost.name
ALL = (
    Waypost, Lorann, Scann, Voyager, Hnswlib, FaissHnsw, FaissIvfPq, FaissSq8, Usearch, Svs, DiskAnn, Implicit, Blas,
)  # fmt: skip
PEERS: dict[str, type[Peer]] = {peer.name: peer for peer in ALL}

__all__ = ["OURS", "PEERS", "Peer", "Unusable"]
