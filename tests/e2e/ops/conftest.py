"""Each table of cases is one parametrized test: `CASES = [...]` in a test module named test_<family>.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        cases = metafunc.module.CASES
        names = [c.name for c in cases]
        if repeated := {n for n in names if names.count(n) > 1}:
            raise ValueError(f"cases share names: {sorted(repeated)}")
        metafunc.parametrize("case", cases, ids=[c.name for c in cases])
