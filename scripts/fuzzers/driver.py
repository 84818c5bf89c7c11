"""Runs a case under limits, diagnoses how it ended, and shrinks it."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import cases

MEMORY_BYTES = 1 << 30
# Wall-clock limit. Processor time is what counts, since it does not depend on the load of the machine.
TIME_S = 10.0
# Maximum time for a command to exit after it was asked to stop.
STOP_S = 5.0
PANIC = re.compile(rb"panicked at ([^\n]*)")
# Characters that no report can contain: control characters, and characters that change the direction of text.
HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
STATUSES = {0, 1, 2, 3, 4, 130}
# Commands that print only events on standard output, if events are requested there.
EVENTFUL = {"stress", "shrink", "replay", "verify", "run", "build"}


class Ended:
    """The result of a run."""

    def __init__(self, status, out, err, seconds, cpu, peak, stopped):
        self.status, self.out, self.err = status, out, err
        self.seconds, self.cpu, self.peak, self.stopped = seconds, cpu, peak, stopped


class Driver:
    """Runs cases with one program and one cache."""

    def __init__(self, rebut, patience=1.0):
        self.rebut = os.path.abspath(rebut)
        self.patience = patience
        self.cache = tempfile.mkdtemp(prefix="rebut-fuzz-cache-")

    def close(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def run(self, case):
        """Runs a case in a folder of its own."""
        folder = tempfile.mkdtemp(prefix="rebut-fuzz-")
        try:
            for name, data in sorted(case.files.items()):
                write_file(folder, name, data)
            return self.run_in(folder, case)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run_in(self, folder, case):
        environment = {"PATH": os.environ["PATH"], "HOME": self.cache, "XDG_CACHE_HOME": self.cache, "REBUT_CACHE": self.cache, "RUST_BACKTRACE": "0", "TMPDIR": folder, "LANG": "C.UTF-8"}
        limits = None if case.command in cases.RUNS else limit_memory
        start = time.monotonic()
        with open(os.path.join(folder, ".out"), "wb+") as out, open(os.path.join(folder, ".err"), "wb+") as err, open(os.path.join(folder, ".in"), "wb+") as stdin:
            stdin.write(case.stdin)
            stdin.seek(0)
            process = subprocess.Popen([self.rebut] + case.args, cwd=folder, stdin=stdin, stdout=out, stderr=err, env=environment, preexec_fn=limits)
            status, usage, peak, stopped = self.wait(process, case, start)
            texts = []
            for stream in [out, err]:
                stream.seek(0)
                texts.append(stream.read(4_000_000))
        return Ended(status, texts[0], texts[1], time.monotonic() - start, usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss * 1024), stopped)

    def wait(self, process, case, start):
        """Waits for the process to exit. Asks commands without a time limit to stop, and kills those that do not."""
        peak, asked = 0, None
        limit = TIME_S * self.patience
        pause = 0.001
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage, peak, asked is not None
            # On a busy machine the process waits for a processor: that time is not its own.
            now = time.monotonic() - start - waited(process.pid)
            if asked is None and now > 0.5 * limit and case.command in cases.ENDLESS:
                process.send_signal(signal.SIGINT)
                asked = now
            if now > limit * 1.5 or asked is not None and now > asked + STOP_S * self.patience or peak > 2 * MEMORY_BYTES:
                process.kill()
            peak = max(peak, resident(process.pid))
            time.sleep(pause)
            pause = min(0.05, pause * 1.3)

    def fault(self, case):
        """Returns the fault of a case and its result, or None."""
        ended = self.run(case)
        return diagnose(case, ended, self.patience), ended

    def shrink(self, case, kind):
        """Returns the smallest case found that has the same fault."""
        # Slow cases take long to shrink.
        left = [30 if kind.startswith(("slow", "hang")) else 400]
        until = time.monotonic() + 120

        def may_go_on():
            return left[0] > 0 and time.monotonic() < until

        def fails(candidate):
            left[0] -= 1
            return may_go_on() and self.fault(candidate)[0] == kind

        for name in sorted(case.files):
            candidate = copy(case)
            del candidate.files[name]
            case = candidate if fails(candidate) else case
        for at in reversed(range(1, len(case.args))):
            candidate = copy(case)
            del candidate.args[at]
            case = candidate if fails(candidate) else case
        for name in sorted(case.files):
            case = shrink_text(case, lambda c, n=name: c.files[n], lambda c, data, n=name: c.files.__setitem__(n, data), fails, may_go_on)
        for at in range(1, len(case.args)):
            case = shrink_text(case, lambda c, i=at: c.args[i].encode(), lambda c, data, i=at: c.args.__setitem__(i, data.decode(errors="replace")), fails, may_go_on)
        return case


def shrink_text(case, get, put, fails, may_go_on):
    """Removes lines, then ranges of bytes, while the case fails."""
    for separator in [b"\n", b""]:
        pieces = get(case).split(separator) if separator else [bytes([byte]) for byte in get(case)]
        length = max(1, len(pieces) // 2)
        while length:
            at = 0
            while at < len(pieces) and may_go_on():
                fewer = pieces[:at] + pieces[at + length:]
                candidate = copy(case)
                put(candidate, separator.join(fewer))
                if fails(candidate):
                    case, pieces = candidate, fewer
                else:
                    at += length
            length //= 2
    return case


def copy(case):
    """Returns a copy of a case."""
    other = cases.Case(case.command)
    other.files, other.args, other.stdin = dict(case.files), list(case.args), case.stdin
    return other


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES + (1 << 29), MEMORY_BYTES + (1 << 29)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def resident(pid):
    """Returns the resident memory of a process in bytes."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


def waited(pid):
    """Returns the longest time in seconds that a thread of a process was ready to run while others ran."""
    longest = 0
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                longest = max(longest, int(file.read().split()[1]))
    except (OSError, IndexError, ValueError):
        pass
    return longest / 1e9


def write_file(folder, name, data):
    path = os.path.normpath(os.path.join(folder, name))
    if not path.startswith(folder + os.sep):
        return
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    except OSError:
        pass  # An invalid file name, or a file in place of a folder.


def diagnose(case, ended, patience):
    """Returns the kind of a fault, or None."""
    panic = PANIC.search(ended.err) or PANIC.search(ended.out)
    if panic or ended.status == 101:
        return "panic at " + (panic.group(1).decode(errors="replace").split(" ")[0] if panic else "?")
    if b"memory allocation of" in ended.err or ended.peak > MEMORY_BYTES:
        return f"memory in {case.command}"
    if b"stack overflow" in ended.err or ended.status in (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS):
        return f"crash in {case.command}"
    if ended.status == -signal.SIGKILL:
        return f"hang in {case.command}" + (" although asked to stop" if ended.stopped else "")
    if ended.cpu > TIME_S and not ended.stopped:
        return f"slow {case.command}"
    if ended.status not in STATUSES:
        return f"status {ended.status} of {case.command}"
    return diagnose_text(case, ended)


def diagnose_text(case, ended):
    """Returns the fault of the output, or None."""
    if ended.status == 2 and not ended.err.strip() and not ended.out.strip():
        return f"no message of {case.command}"
    colour = "always" in case.args
    err = ended.err.decode(errors="replace")
    if not colour and HOSTILE.search(err.replace("\r\x1b[K", "").replace("\r", "")):
        return f"control characters on the error stream of {case.command}"
    if "--json" in case.args and "-" in case.args[case.args.index("--json"):] and case.command in EVENTFUL:
        text = ended.out.decode(errors="replace")
        if HOSTILE.search(text):
            return f"control characters in JSON of {case.command}"
        try:
            for line in text.split("\n"):
                json.loads(line or "0")
        except ValueError:
            return f"broken JSON of {case.command}"
    return None
