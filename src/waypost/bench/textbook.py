"""The textbook search of benchmarks/textbook_search.cpp: compiled here, with the core's flags, and called by ctypes."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.bench.ratings import Missing
from waypost.bench.workbench import Floats

FLAGS = ("-O3", "-std=c++20", "-DNDEBUG", "-fPIC", "-ffp-contract=off")
REPOSITORY = Path(__file__).parents[3]
KERNEL_FLAGS = {
    "kernels.cpp": (),
    "kernels/generic.cpp": (),
    "kernels/avx2.cpp": ("-mavx2", "-mfma"),
    "kernels/avx512.cpp": ("-mavx2", "-mfma", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq"),
}


class Textbook:
    """A compiled textbook search; with `core_kernel` its inner product is the core's own."""

    def __init__(self, core_kernel: bool) -> None:
        source = REPOSITORY / "benchmarks" / "textbook_search.cpp"
        if not source.exists():
            raise Missing("benchmarks/textbook_search.cpp: run from a checkout of the sources, installed editable")
        with tempfile.TemporaryDirectory() as folder:
            library = _link(Path(folder), _objects(Path(folder), source, core_kernel))
            self._search = ctypes.CDLL(str(library)).textbook_search
        self._search.restype = None

    def search(
        self, items: Floats, neighbors: NDArray[np.int32], queries: Floats, entry: int, k: int, budget: int
    ) -> NDArray[np.int64]:
        rows = np.empty((len(queries), k), np.int64)
        whole = ctypes.c_int64
        self._search(
            _pointer(items), whole(items.shape[1]), _pointer(neighbors), whole(neighbors.shape[1]), _pointer(queries),
            whole(len(queries)), ctypes.c_int32(entry), whole(k), whole(budget), _pointer(rows),
        )  # fmt: skip
        return rows


def _objects(folder: Path, source: Path, core_kernel: bool) -> list[Path]:
    if not core_kernel:
        return [_compile(folder, source, ())]
    core = REPOSITORY / "cpp"
    x86 = platform.machine() in ("x86_64", "AMD64")
    common = (f"-I{core / 'include'}", "-DTEXTBOOK_CORE_KERNEL", *(["-DWAYPOST_X86"] if x86 else []))
    wanted = {name: flags for name, flags in KERNEL_FLAGS.items() if x86 or not flags}
    kernels = [_compile(folder, core / "src" / name, (*common, *flags)) for name, flags in wanted.items()]
    return [_compile(folder, source, common), *kernels]


def _compile(folder: Path, source: Path, flags: tuple[str, ...]) -> Path:
    made = folder / f"{source.stem}.o"
    _run([*FLAGS, *flags, "-c", str(source), "-o", str(made)])
    return made


def _link(folder: Path, objects: list[Path]) -> Path:
    made = folder / "textbook.so"
    _run(["-shared", *map(str, objects), "-o", str(made)])
    return made


def _run(arguments: list[str]) -> None:
    compiler = os.environ.get("CXX", "c++")
    try:
        subprocess.run([compiler, *arguments], check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Missing(f"a C++20 compiler: {compiler} is not installed; set CXX") from error
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"the textbook search does not compile: {error.stderr}") from error


def _pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
