"""What the figures were measured on: processor, memory, versions."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from waypost import _core
from waypost.bench.tables import Table

PACKAGES = (
    "waypost", "numpy", "scipy", "implicit", "hnswlib", "faiss-cpu", "scann", "lorann", "voyager", "usearch",
    "scalable-vs", "diskannpy",
)  # fmt: skip


def describe() -> Table:
    table = Table("Machine", "", ["what", "which"])
    table.add("processor", f"{_processor()}, {os.cpu_count()} cores")
    table.add("memory", _memory())
    table.add("system", f"{platform.system()} on {platform.machine()}, Python {platform.python_version()}")
    table.add("packages", ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name))))
    table.add("kernels", f"{_core.kernels()} (of {', '.join(_core.available_kernels())})")
    table.add("BLAS", _blas())
    table.add("compiler of the textbook search", _compiler())
    return table


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.1f} GiB"
    except (AttributeError, ValueError, OSError):
        return "unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _blas() -> str:
    try:
        from threadpoolctl import threadpool_info  # type: ignore[import-untyped]
    except ImportError:
        return "unknown"
    found = {f"{one['internal_api']} {one['version']}" for one in threadpool_info() if one["user_api"] == "blas"}
    return ", ".join(sorted(found)) or "unknown"


def _compiler() -> str:
    try:
        output = subprocess.run([os.environ.get("CXX", "c++"), "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return output.stdout.splitlines()[0]
