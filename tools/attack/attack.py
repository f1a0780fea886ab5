#!/usr/bin/env python3
"""Attacks the program with random closed linkages, and says where it is wrong without saying so.

Every mechanism has a seed.  Its motion is computed by the program, and then again: by other formulations, with other output
steps, another tolerance and another integrator, with another joint written as the loop, backwards in time, at another size;
what it claims about an instant is held against the oracle, which knows nothing of trees.  A run that ends with an error or a
warning has refused, and is counted by its reason.  Two runs that both claim to be right and differ by more than their tolerance
explains are wrong quietly.  What a tolerance explains is measured: the start is moved by a little, and the motion that follows
says how errors grow.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")     # matrices are small: threads only get into each other's way

from mechanism import Attack
from program import Program
from tally import Finding, Tally

ROOT = Path(__file__).resolve().parents[2]


def keep(finding: Finding, folder: Path) -> None:
    """The models and the commands that show a finding."""
    place = folder / f"{finding.seed}-{finding.check}-{finding.kind}".replace(" ", "-").replace("/", "-")
    place.mkdir(parents=True, exist_ok=True)
    for name, text in finding.models.items():
        (place / name).write_text(text)
    (place / "README.md").write_text(finding.line() + "\n\n" + "\n".join(finding.commands) + "\n")


def one(work: tuple[int, str, str, str, str]) -> Tally:
    seed, program, folder, only, without = work
    own = Path(folder) / str(os.getpid())
    own.mkdir(exist_ok=True)
    return Attack(Program(program, own), seed, only, without).run()


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description="random closed linkages against the program")
    p.add_argument("seconds", nargs="?", type=float, default=60, help="how long (default 60)")
    p.add_argument("--seed", type=int, help="this mechanism alone")
    p.add_argument("--from", dest="first", type=int, help="the first seed (default: from the clock)")
    p.add_argument("--count", type=int, help="so many mechanisms, however long it takes")
    p.add_argument("--only", default="", help="families of mechanisms, with commas between them")
    p.add_argument("--without", default="", help="comparisons to leave out, with commas between them: names, check, backwards, ...")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--program", default=str(ROOT / "build" / "jounce"))
    p.add_argument("-o", "--folder", default="attack-findings", help="where what is found is kept")
    p.add_argument("--record", type=Path, help="a file to which the counts are added")
    a = p.parse_args(argv)
    if not Path(a.program).exists():
        print(f"attack: expected the program at {a.program}; build it with ./dev build", file=sys.stderr)
        return 2
    first = a.seed if a.seed is not None else a.first if a.first is not None else int(time.time()) % 100_000_000 * 1000
    count = 1 if a.seed is not None else a.count
    began, tally = time.time(), Tally()
    print(f"attack: mechanisms from seed {first}; ./dev attack --seed N repeats one", flush=True)
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    scratch = tempfile.mkdtemp(prefix="jounce-attack-", dir=shared)

    def seeds():
        k = 0
        while (k < count) if count is not None else (time.time() - began < a.seconds):
            yield first + k, a.program, scratch, a.only, a.without
            k += 1

    try:
        if a.jobs == 1 or count == 1:
            results = map(one, seeds())
        else:
            pool = multiprocessing.Pool(a.jobs)
            results = bounded(pool, seeds(), 4 * a.jobs)
        for k, piece in enumerate(results, 1):
            tally.add(piece)
            for finding in piece.findings:
                print("  WRONG QUIETLY " + finding.line(), flush=True)
                keep(finding, Path(a.folder))
            for finding in piece.slow:
                keep(finding, Path(a.folder))
            if k % 500 == 0:
                print(f"  {k} mechanisms, {time.time() - began:.0f} s, {len(tally.findings)} wrong quietly", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    seeds_run = f"{first} to {first + sum(tally.mechanisms.values()) - 1}"
    print(f"\nseeds {seeds_run}, {time.time() - began:.0f} s\n" + tally.text())
    if a.record:
        tally.record(a.record, seeds_run)
    if tally.findings:
        print(f"models and commands: {a.folder}/")
    return 1 if tally.findings else 0


def bounded(pool, work, most: int):
    """Results in order, with never more than `most` waiting: the clock decides how many there are."""
    waiting = []
    for item in work:
        waiting.append(pool.apply_async(one, (item,)))
        if len(waiting) >= most:
            yield waiting.pop(0).get()
    for w in waiting:
        yield w.get()


if __name__ == "__main__":
    sys.exit(main())
