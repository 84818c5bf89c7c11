#!/usr/bin/env python3
"""Fuzzes the commands: random structures in all kinds of files, damaged bytes, combinations of options.

    scripts/fuzz commands [--rebut REBUT] [--seed SEED] [--first N] [--cases N] [--seconds S] [--only COMMAND,...] [--out DIR]

Case i depends on the seed and on i only. Each case runs in its own folder with at most 1 GiB of memory and 10 s. A
panic, a hang, a crash, too much memory, a raw control character in a report and broken JSON are faults; the first of
each kind is shrunk and written to a folder with its command line. Time spent waiting for a processor does not count.
Commands without a time limit are asked to stop after half of the time, and have to stop. Exit status: 1 if there is any
fault. `--patience 3` multiplies the times.
"""

import argparse
import os
import random
import shlex
import sys
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import driver  # noqa: E402

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Number of cases between two progress reports of a long run.
REPORT_EVERY = 500


def arguments():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rebut", default=os.path.join(HOME, "target", "fuzz", "rebut"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default=",".join(cases.COMMANDS))
    parser.add_argument("--patience", type=float, default=1)
    parser.add_argument("--out", default=os.path.join(HOME, "target", "fuzz-faults"))
    return parser.parse_args()


def save(folder, case, kind, ended, replay):
    """Writes a case with its command line."""
    for name, data in case.files.items():
        driver.write_file(folder, name, data)
    os.makedirs(folder, exist_ok=True)
    tail = ended.err.decode(errors="replace")[-2000:]
    with open(os.path.join(folder, "FAULT"), "w") as file:
        file.write(f"{kind}\nrebut {shlex.join(case.args)}\n{replay}\nstatus {ended.status}, {ended.seconds:.1f} s, cpu {ended.cpu:.1f} s, {ended.peak >> 20} MiB\n{tail}\n")


def main():
    options = arguments()
    material = cases.Material(HOME)
    commands = options.only.split(",")
    runner = driver.Driver(options.rebut, options.patience)
    start, kinds, statuses, slowest, largest = time.monotonic(), {}, {}, (0, 0), (0, 0)
    number = options.first
    try:
        while number < options.first + options.cases and time.monotonic() - start < options.seconds:
            case = cases.make_case(random.Random(f"{options.seed}/{number}"), material, commands)
            kind, ended = runner.fault(case)
            statuses[case.command, ended.status] = statuses.get((case.command, ended.status), 0) + 1
            slowest, largest = max(slowest, (ended.cpu, number)), max(largest, (ended.peak, number))
            if kind:
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] == 1:
                    replay = f"scripts/fuzz commands --seed {options.seed} --first {number} --cases 1 --only {options.only}"
                    print(f"{kind}\n    {replay}", flush=True)
                    small = runner.shrink(case, kind)
                    name = "".join(c if c.isalnum() else "-" for c in kind)[:80]
                    save(os.path.join(options.out, name), small, kind, runner.run(small), replay)
                    print(f"    rebut {shlex.join(small.args)[:300]}", flush=True)
            number += 1
            if (number - options.first) % REPORT_EVERY == 0:
                print(f"at {number}, {time.monotonic() - start:.0f} s, {sum(kinds.values())} faults", flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        runner.close()
    seconds = time.monotonic() - start
    print(f"{number - options.first} cases of seed {options.seed} in {seconds:.0f} s; slowest {slowest[0]:.1f} s of processor time (case {slowest[1]}), "
          f"largest {largest[0] >> 20} MiB (case {largest[1]})")
    for (command, status), count in sorted(statuses.items()):
        print(f"    {command}: status {status}: {count}")
    for kind, count in sorted(kinds.items()):
        print(f"FAULT {count} times: {kind}")
    return 1 if kinds else 0


sys.exit(main())
