"""Helpers shared by the benches: processor time, summaries of values, and the build to measure."""

import os
import resource
import statistics
import subprocess


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spread(values, digits=4):
    """Formats the median, the minimum and the maximum."""
    ordered = sorted(values)
    shown = (statistics.median(ordered), ordered[0], ordered[-1])
    middle, least, most = (f"{value:,.0f}" if value >= 10**digits else f"{value:.{digits}g}" for value in shown)
    return f"{middle}  ({least} to {most})"


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def built(rebut):
    """Returns the absolute path of the named build, or builds this tree and returns the path of that."""
    if rebut is None:
        subprocess.run(["cargo", "build", "--release", "--quiet"], check=True)
        rebut = os.path.join(os.environ.get("CARGO_TARGET_DIR", "target"), "release", "rebut")
    return os.path.abspath(rebut)


def built_commit(named):
    """Returns the absolute path of a build and its source: the named file with this tree, or the build of a commit, which
    is made once and kept."""
    if os.path.isfile(named):
        return os.path.abspath(named), os.getcwd()
    git = ["git", "rev-parse", "--short=8", "--verify", named + "^{commit}"]
    commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    source, target = (os.path.join(cache, "rebut-bench", commit, folder) for folder in ("source", "target"))
    if not os.path.isdir(source):
        os.makedirs(source)
        archive = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", source], input=archive, check=True)
    rebut = os.path.join(target, "release", "rebut")
    if not os.path.isfile(rebut):
        build = ["cargo", "build", "--release", "--quiet", "--bin", "rebut"]
        subprocess.run(build, cwd=source, env={**os.environ, "CARGO_TARGET_DIR": target}, check=True)
    return rebut, source
