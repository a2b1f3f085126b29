"""`import waypost` is quick and brings in nothing that serving does not need."""

import subprocess
import sys

SECONDS = 0.25
TRIES = 5
HEAVY = ("torch", "pandas", "scipy", "implicit", "pyarrow", "matplotlib")

TIME_THE_IMPORT = """
import time
start = time.process_time()
import waypost
print(time.process_time() - start)
"""

NAME_THE_MODULES = """
import sys
import waypost
print(*sys.modules, sep="\\n")
"""


def python(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout


def test_import_takes_under_a_quarter_of_a_second() -> None:
    # In processor time, so that a busy machine does not count; the first try may read cold files.
    took = []
    for _ in range(TRIES):
        took.append(float(python(TIME_THE_IMPORT)))
        if took[-1] < SECONDS:
            return
    raise AssertionError(f"the quickest import of {TRIES} took {min(took):.3f} s, NumPy included")


def test_import_brings_in_no_heavy_library() -> None:
    imported = {name.partition(".")[0] for name in python(NAME_THE_MODULES).split()}
    assert "waypost" in imported
    assert imported.isdisjoint(HEAVY)
