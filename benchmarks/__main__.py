"""`make bench`: run every benchmark, or those named, and print bar, measured value and verdict.

Time is told as a ratio of two commands run in turn on the same machine, or as the median of several runs.
"""

import importlib
import sys

BENCHMARKS = ("start", "warm", "index", "retrieval", "flags")


def main(wanted: list[str]) -> int:
    """Run benchmarks; 1 when a bar is missed."""
    missed = 0
    print(f"{'what':58} {'measured':>12} {'bar':>10}")
    for name in wanted or BENCHMARKS:
        for what, measured, bar, met in importlib.import_module(f"benchmarks.{name}").run():
            missed += not met
            print(f"{what:58} {measured:>12} {bar:>10} {'' if met else 'MISSED'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
