"""sixrung against coreai-torch, side by side in one run; prints the table of docs/benchmarks.md.

coreai-torch lives in an environment of its own (build/bench/peer), made on first use.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "bench"
PEER = WORK / "peer"
REPEATS = int(os.environ.get("SIXRUNG_BENCH_REPEATS", "3"))


def peer_python() -> Path:
    python = PEER / "bin" / "python"
    if not (PEER / ".ready").exists():
        venv.create(PEER, with_pip=True)
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        packages = [*project["dependencies"], *project["optional-dependencies"]["bench"]]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        (PEER / ".ready").touch()
    return python


def measure(python: Path | str, which: str, model: Path) -> dict[str, float]:
    out = WORK / "out" / f"{model.stem}-{which}.aimodel"
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [str(python), str(HERE / "measure.py"), which, str(model), str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            return json.loads(line.removeprefix("RESULT "))
    sys.exit(f"{which} on {model.name} failed:\n{done.stdout}\n{done.stderr}")


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main() -> None:
    from programs import SIZES

    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(HERE / "programs.py"), str(WORK)], check=True)
    other = peer_python()
    print(f"machine: {os.cpu_count()} x {processor()}, {platform.system()}; median of {REPEATS} runs\n")
    head = ["program", "load s", "convert s", "program -> IR s", "save s", "anonymous MB", "peak MB", "IR ops"]
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for name in SIZES:
        model = WORK / f"{name}.pt2"
        ours, theirs = [], []
        for _ in range(REPEATS):  # alternating, so that both meet the same machine
            ours.append(measure(sys.executable, "sixrung", model))
            theirs.append(measure(other, "coreai-torch", model))

        def cell(
            key: str, digits: int, ours: list[dict[str, float]] = ours, theirs: list[dict[str, float]] = theirs
        ) -> str:
            a = median(r[key] for r in ours)
            b = median(r[key] for r in theirs)
            ratio = f" ({b / a:.1f}x)" if a > 0 else ""
            return f"{a:.{digits}f} / {b:.{digits}f}{ratio}"

        for rows in (ours, theirs):
            for row in rows:
                row["total"] = row["load"] + row["convert"]
        cells = [cell("load", 3), cell("convert", 3), cell("total", 3), cell("save", 2)]
        cells += [cell("anonymous", 0), cell("peak", 0), cell("ops", 0)]
        print("| " + " | ".join([name, *cells]) + " |", flush=True)
    print("\nEach cell: sixrung / coreai-torch (how many times less sixrung needs).")


if __name__ == "__main__":
    main()
