"""One wheel for every x86-64 processor: what is compiled for a wider instruction set must not leak into the rest.

An inline function that such a file shares with others (one of the standard library is enough) is kept once by the
linker, and the copy kept may be the one that older processors cannot run. So these files share none.
"""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

CORE = "CMakeFiles/waypost_core.dir/cpp/src"
WIDE = ("avx2", "avx2_pool", "avx512", "avx512_pool", "avx512_vnni")  # the files of cpp/src/kernels built for them
OWN = {"avx512_vnni": "dot_codes_by_vnni"}  # what a file has in the place of a table named after it
WIDE_REGISTERS = re.compile(r"%[yz]mm|\tv[a-z0-9]+\s.*%xmm")
SYMBOL = re.compile(r"^(.+) ([A-Za-z]) [0-9a-f]+(?: [0-9a-f]+)? *$", re.MULTILINE)
SHARED_KINDS = set("TWw")  # as nm writes them: global code, and code of which the linker keeps one copy


def build_folder() -> Path:
    python = sysconfig.get_config_var("SOABI").split("-")[1]  # cpython-311-x86_64-linux-gnu
    built = Path(__file__).parent.parent / "build"
    return next(built.glob(f"cp{python}-*"), built)


@pytest.mark.parametrize("kernels", WIDE)
def test_kernels_share_no_code(kernels: str) -> None:
    compiled = build_folder() / CORE / "kernels" / f"{kernels}.cpp.o"
    if not compiled.exists():
        pytest.skip(f"{compiled.name} is not in build/: another processor, or not built by `make setup`")
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("needs nm, which comes with binutils")
    listed = subprocess.run([nm, "-P", "-C", "--defined-only", compiled], capture_output=True, text=True, check=True)
    symbols = SYMBOL.findall(listed.stdout)
    own = OWN.get(kernels, f"{kernels}_kernels")
    assert any(own in name for name, _ in symbols)
    assert [name for name, kind in symbols if kind in SHARED_KINDS and own not in name] == []


def test_nothing_else_needs_a_new_processor() -> None:
    objects = sorted((build_folder() / CORE).rglob("*.cpp.o"))
    objdump = shutil.which("objdump")
    if objdump is None or not objects:
        pytest.skip("needs objdump, which comes with binutils, and what `make setup` compiles into build/")
    for compiled in objects:
        listed = subprocess.run([objdump, "-d", compiled], capture_output=True, text=True, check=True).stdout
        assert bool(WIDE_REGISTERS.search(listed)) == (compiled.name.removesuffix(".cpp.o") in WIDE), compiled.name
