"""The paper's algorithms once more, slow and plain: what the native core is compared with, edge by edge.

Nothing here is fast and nothing here shares a line with the core. A graph is a list of out-neighbour lists, best
first; a similarity is a square table of floats, `table[a][b]` being s(a, b); every order is "higher first, then the
lower row".
"""

from __future__ import annotations

Lists = list[list[int]]
Table = list[list[float]]
