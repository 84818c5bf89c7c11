"""Cases: files and a command line, for every command and every kind of file."""

import io
import os
import re
import zipfile

import damage
import formats

COMMANDS = ["generate", "invalid", "enumerate", "validate", "explain", "describe", "fmt", "ctd", "build", "verify", "run", "import", "unpack",
            "export", "stress", "shrink", "replay", "check", "files"]
# Commands that run programs are slower and chosen less often.
WEIGHTS = [20, 12, 10, 14, 12, 8, 8, 12, 4, 4, 1, 4, 4, 4, 4, 2, 3, 6, 2]
# These commands have no time limit, but have to stop when asked to.
ENDLESS = {"enumerate", "stress", "shrink", "verify", "build", "run", "replay"}
# These start programs that need more address space than the limit.
RUNS = {"build", "verify", "run", "export", "stress", "shrink", "replay", "import", "unpack"}
SHAPES = ["uniform", "sorted", "permutation", "star", "path", "constant", "periodic", "nonesuch", ""]
CHECKERS = ["default", "tokens", "lines", "float", "wcmp", "ncmp", "icmp", "yesno", "rcmp6", "nonesuch", "float_tolerance 1e400", "default -x"]

PYTHON = b"import sys\nprint(sum(int(x) for x in sys.stdin.read().split() if x.lstrip('-').isdigit()))\n"
WRONG = b"import sys\nd = sys.stdin.read().split()\nprint(len(d) if len(d) < 5 else 0)\n"
SHELL = b"#!/bin/sh\nhead -c 10000 | wc -c\n"

YAML = b"""problem_format_version: 2025-09
name: {en: A}
uuid: x
type: pass-fail
limits:
    time_limit: 1.5
    memory: 512
constants:
    n: 5
"""
LEGACY = b"""name: A
type: scoring
validation: custom score
validator_flags: float_tolerance 1e-6
limits: {time_multiplier: 5, memory: 100}
grading: {objective: max, range: -inf +inf}
"""
GROUP = b"max_score: 50\nscore_aggregation: sum\nrequire_pass: [sample]\noutput_validator_args: [case_sensitive]\n"
TESTDATA = b"on_reject: continue\nrange: 0 100\ngrader_flags: min ignore_sample\naccept_score: 1.5\n"
SUBMISSIONS = b"wrong_answer/*:\n    required: [WA]\n    permitted: [AC, WA]\n'*/b.py': {score: 30, use_for_time_limit: false}\n"
RECIPE = b"""seed = 3
reference = "a.py"
[[test]]
group = "sample"
text = "2\\n1 2\\n"
answer = "5\\n"

[[test]]
name = "tiny"
exhaustive = ["n <= 2", "a <= 1"]

[[test]]
name = "ties"
shape = "few-distinct"
where = "n >= 3"
count = 3

[[test]]
name = "max"
max = true
let = { n = 4 }
group = "g"
growth = [100, 0]

[[test]]
copy = "sample/1"

[group.g]
score = 20
where = "n >= 1"
"""
FORMAT = b"n\na[n]\nwhere:\n    1 <= n <= 6\n    0 <= a <= 9\n    subtask small (20): n <= 3\n"
FINDING = b"""{"version": 1, "culprit": "submission", "verdict": "WA", "message": "line 1", "submission": "b.py", "reference": "a.py", "validators": [],
"folder": ".", "format": "n\\na[n]\\nwhere:\\n    1 <= n <= 6\\n    0 <= a <= 9\\n", "checker": "default", "cpu_time_limit_ms": 2000,
"memory_limit_bytes": 268435456, "seed": 7, "case": 3, "shape": null, "flaky": [2, 3], "shrink_complete": true,
"certificate": {"inputs": 3, "complete": true, "elements": 2, "unanswered": 0, "failing_otherwise": 0, "time_ms": 5}}
"""


class Material:
    """The texts of the repository that are mutated."""

    def __init__(self, home):
        data = os.path.join(home, "testdata")
        self.formats = read_all(os.path.join(data, "formats", "valid")) + read_all(os.path.join(data, "describe"), ".format")
        self.scripts = read_all(os.path.join(data, "ctd"), ".ctd")
        self.polygon = tree(os.path.join(data, "exchange", "polygon"))
        self.library = tree(os.path.join(data, "exchange", "library_checker"))
        self.sheets = read_all(os.path.join(data, "packages"))
        self.others = [text[:3000] for text in self.formats + self.scripts + self.sheets] + [YAML, LEGACY, GROUP, TESTDATA, SUBMISSIONS, RECIPE, FINDING]


def read_all(folder, ending=""):
    """Returns the texts of a folder's files, by name."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(ending))
    paths = [os.path.join(folder, name) for name in names]
    return [open(path, "rb").read()[:20_000] for path in paths if os.path.isfile(path)]


def tree(folder):
    """Returns the files below a folder."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


class Case:
    """A command line, and the files around it."""

    def __init__(self, command):
        self.command = command
        self.files = {}
        self.args = []
        self.stdin = b""


def make_case(draw, material, commands):
    """Returns a case of one of the commands."""
    weights = [WEIGHTS[COMMANDS.index(name)] for name in commands]
    case = Case(draw.choices(commands, weights)[0])
    globals()[f"make_{case.command}"](draw, material, case)
    if draw.random() < 0.3:
        case.args += global_flags(draw)
    case.args = [arg.replace("\0", "") for arg in case.args]
    return case


def global_flags(draw):
    """Returns options that every command has."""
    flags = [["--json", "-"], ["--json", "events.json"], ["--color", "always"], ["-v"], ["-q"], ["--all"], ["--diff", "inline"], ["-j", "1"], ["-j", "7"],
             ["--diff", "side-by-side"], ["-j", "0"], ["--json", "no/such/folder"]]
    return [word for flag in draw.sample(flags, draw.choice([1, 1, 2, 3])) for word in flag]


def format_text(draw, material):
    """Returns a format: random, from the repository, mutated, or nested extremely deep."""
    pick = draw.random()
    if pick < 0.5:
        text = formats.random_format(draw).encode()
    elif pick < 0.75:
        return stretched(draw, draw.choice(material.formats))
    elif pick < 0.97:
        text = draw.choice(material.formats)
    else:
        return formats.deep_format(draw).encode()
    return damage.mutate(draw, text, material.others) if draw.random() < 0.2 else text


def stretched(draw, text):
    """Returns a format with some numbers replaced: most often it is still valid, but with extreme sizes."""
    for _ in range(draw.choice([1, 1, 2, 3, 6])):
        spans = [match.span() for match in re.finditer(rb"(?<![A-Za-z0-9_\[])\d+(\s*\^\s*\d+)?(?![A-Za-z0-9_])", text)]
        if spans:
            at, end = draw.choice(spans)
            text = text[:at] + draw.choice(formats.LIMITS + formats.SMALL).encode() + text[end:]
    return text


def place_format(draw, material, case):
    """Gives a case its format, as a file or on the command line."""
    text = format_text(draw, material)
    if draw.random() < 0.15 and len(text) < 60_000:
        case.args += ["-i", text.decode(errors="replace")]
    else:
        case.files["x.format"] = text
        case.args.append("x.format")
    for _ in range(draw.choice([0, 0, 0, 0, 1, 2])):
        number = draw.choice(formats.SMALL + formats.LIMITS)
        name = draw.choice(formats.NAMES)
        option = draw.choice([["--let", f"{name}={number}"], ["--where", f"{name} <= {number}"], ["--subtask", "small"], ["--where", f"sum({name}) = {number}"]])
        case.args += option


def make_generate(draw, material, case):
    case.args = ["generate"]
    place_format(draw, material, case)
    flags = [["--min"], ["--max"], ["--growth", str(draw.choice([0, 1, 50, 100, 101]))], ["--shape", draw.choice(SHAPES)], ["-n", draw.choice(["1", "2", "20", "0"])],
             ["--profile"], ["--out", "made"], ["-s", draw.choice(["0", "ffffffffffffffff", "5", "x"])]]
    case.args += [word for flag in draw.sample(flags, draw.choice([0, 1, 1, 2])) for word in flag]


def make_invalid(draw, material, case):
    case.args = ["generate", "--invalid"]
    place_format(draw, material, case)
    if draw.random() < 0.3:
        case.args += ["--out", "made"]


def make_enumerate(draw, material, case):
    case.args = ["enumerate"]
    place_format(draw, material, case)
    case.args += draw.choice([["-n"], ["-l", "5"], ["-s", "3", "-l", "50"], ["-l", "200"], ["-s", "18446744073709551615", "-l", "3"], ["-l", "20", "--out", "made"], ["-s", "4", "-n"]])


def input_text(draw, material):
    """Returns an input."""
    rows = []
    for _ in range(draw.choice([1, 2, 3, 6])):
        words = [draw.choice(["0", "1", "2", "3", "10", "-1", "ab", "x", "1.5", "1000000000000000000", "9" * 60, "end"]) for _ in range(draw.choice([1, 1, 2, 4]))]
        rows.append(" ".join(words))
    text = "\n".join(rows).encode() + b"\n"
    return damage.mutate(draw, text, material.others) if draw.random() < 0.5 else text


def make_validate(draw, material, case):
    case.args = ["validate"]
    place_format(draw, material, case)
    for number in range(draw.choice([1, 1, 2, 3])):
        case.files[f"{number}.in"] = input_text(draw, material)
        case.args.append(f"{number}.in")
    if draw.random() < 0.1:
        case.stdin = input_text(draw, material)
        case.args.append("-")


def make_explain(draw, material, case):
    case.args = ["format", "explain"]
    place_format(draw, material, case)


def make_describe(draw, material, case):
    case.args = ["format", "describe"] + draw.choice([[], ["--latex"]])
    place_format(draw, material, case)


def make_fmt(draw, material, case):
    case.files["x.format"] = format_text(draw, material)
    case.args = ["format", "fmt"] + draw.choice([["--check"], ["--stdout"], []]) + ["x.format"]


def ctd_script(draw, depth):
    """Returns the lines of a checktestdata script."""
    lines = []
    for _ in range(draw.choice([1, 2, 3, 4])):
        number = draw.choice(["1", "n", "m", "10", "1000000000000000000000", "n*m", "n-1", "2**10", "-5", "n%m", "n/0", "a[i]", "1.5"])
        name = draw.choice("nmabixy")
        simple = [f"INT(1,{number},{name})", f"INT(0,{number},{name}[i])", "SPACE", "NEWLINE", f'REGEX("[a-z]{{1,{draw.choice(["5", "1000000", "0"])}}}",{name})',
                  f'STRING("{draw.choice(["x", "", "a b"])}")', f"FLOAT(0,{number},{name},{draw.choice(['FIXED', 'SCIENTIFIC'])})", f"SET({name}={number})",
                  f"ASSERT({name} < {number} && UNIQUE({name}))", f"INT(1,{number},{name}[i,1])", f"FLOATP(0,{number},2,4)", "EOF", "INTARRAY(a,1,n,n)",
                  f"UNSET({name})", f"ASSERT(STRLEN({name}) <= {number} || !INARRAY(n,a))"]
        if depth == 0 or draw.random() < 0.6:
            lines += [draw.choice(simple), draw.choice(["SPACE", "NEWLINE", "NEWLINE", ""])]
            continue
        body = ctd_script(draw, depth - 1)
        head = draw.choice([f"REP({number})", f"REPI(i,{number},SPACE)", f"WHILE({name} < {number})", "WHILE(!ISEOF,NEWLINE)", f"IF({name} == {number})", f"REP({number},NEWLINE)"])
        lines += [head] + body + (["ELSE"] + ctd_script(draw, 0) if head.startswith("IF") and draw.random() < 0.5 else []) + ["END"]
    return lines


def make_ctd(draw, material, case):
    text = "\n".join(ctd_script(draw, draw.choice([1, 2, 3]))).encode() + b"\n" if draw.random() < 0.6 else draw.choice(material.scripts)
    if draw.random() < 0.4:
        text = damage.mutate(draw, text, material.others)
    if draw.random() < 0.02:
        text = draw.choice([b"REP(2) " * 20000, b"ASSERT(" + b"(" * 50000, b"ASSERT(" + b"!" * 50000 + b"n)", b"IF(1==1) " * 5000])
    case.files["x.ctd"] = text
    case.args = ["format", "from-ctd", "x.ctd"]


def package(draw, material):
    """Returns the files of a problem package."""
    files = {"problem.yaml": draw.choice([YAML, YAML, LEGACY]), "input.format": FORMAT, "tests.toml": RECIPE,
             "submissions/accepted/a.py": PYTHON, "submissions/wrong_answer/b.py": WRONG, "data/sample/1.in": b"2\n1 2\n", "data/sample/1.ans": b"5\n",
             "data/secret/2.in": b"1\n9\n", "data/secret/2.ans": b"10\n"}
    extra = {"data/testdata.yaml": TESTDATA, "data/secret/test_group.yaml": GROUP, "submissions/submissions.yaml": SUBMISSIONS, ".timelimit": b"2\n",
             "domjudge-problem.ini": b"timelimit='1.5'\nname=x\n", "data/secret/g/1.in": b"1\n1\n", "data/secret/g/1.ans": b"2\n", "data/secret/g/1.yaml": b"args: [a, 1]\n",
             "data/invalid_input/1.in": b"0\n", "data/invalid_output/1.in": b"1\n1\n", "data/invalid_output/1.ans": b"2\n", "data/invalid_output/1.out": b"3\n",
             "input_validators/v.ctd": b"INT(1,6,n) NEWLINE REP(n,SPACE) INT(0,9) END NEWLINE EOF\n", "include/default/x.h": b"\n", "problem_statement/problem.en.tex": b"\\problemname{x}\n"}
    for name in draw.sample(sorted(extra), draw.choice([0, 0, 1, 2, 4])):
        files[name] = extra[name]
    if draw.random() < 0.3:
        files["input.format"] = format_text(draw, material)
    return files


def damaged(draw, material, files, times):
    """Mutates some of the files, preferably descriptions."""
    names = sorted(files)
    weights = [8 if name.endswith((".yaml", ".toml", ".format", ".ini", ".ctd", ".json", ".xml", ".timelimit")) else 1 for name in names]
    for _ in range(times):
        name = draw.choices(names, weights)[0]
        pick = draw.random()
        if pick < 0.8:
            files[name] = damage.mutate(draw, files[name], material.others)
        elif pick < 0.9:
            files[name] = huge(draw, name)
        else:
            files[damage.mutate(draw, name.encode(), []).decode(errors="replace").replace("\0", "_").strip("/")[:100] or "x"] = files[name]
    return files


def huge(draw, name):
    """Returns a description in which one thing is far too large or too deep."""
    size = draw.choice([1000, 100_000, 1_000_000, 3_000_000])
    if name.endswith(".toml"):
        return draw.choice([b'x = "' + b"a" * size + b'"\n', b"a" * size + b" = 1\n", b"x = " + b"[" * min(size, 100_000), b"[[test]]\n" * min(size // 20, 50_000),
                            b"[" + b"a." * (min(size, 100_000) // 2) + b"a]\n", b"x = {" * min(size, 50_000), b'[[test]]\nlet = { n = 1' + b"0" * min(size, 100_000) + b" }\n"])
    if name.endswith(".json"):
        return draw.choice([b"[" * size, b'{"a":' * min(size, 100_000), b'"' + b"a" * size + b'"', b"1" * size])
    return draw.choice([b"a" * size + b": 1\n", b"? " * min(size, 100_000), b"- " * min(size, 100_000), b"[" * min(size, 100_000), b"{a: " * min(size, 100_000), b"x: " + b"a" * size + b"\n",
                        b"x: |\n" + b"  y\n" * (size // 4), b"".join(b"k%d: 1\n" % i for i in range(min(size // 6, 100_000))),
                        b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(b"b%d: &b%d [*a,*a,*a,*a,*a,*a,*a]\na: &a [*b%d]\n" % (i, i, i) for i in range(20)),
                        b"name: '" + b"''" * (size // 2) + b"'\n", b'name: "' + b"\\n" * (size // 2) + b'"\n', b"# " + b"x" * size + b"\n", b"x: 1" + b"0" * size + b"\n", b"\n" * size,
                        b"a:\n" + b"".join(b" " * i + b"b:\n" for i in range(1, 1000))])


def place_package(draw, material, case, times=None):
    files = package(draw, material)
    damaged(draw, material, files, draw.choice([0, 1, 1, 2, 4]) if times is None else times)
    case.files.update({f"p/{name}": data for name, data in files.items()})


def make_build(draw, material, case):
    place_package(draw, material, case)
    case.args = ["build", "p"] + draw.choice([[], ["--check"], ["--force"], ["--no-verify"]])


def make_verify(draw, material, case):
    place_package(draw, material, case)
    case.args = ["verify", "p"] + draw.choice([[], ["--github"], ["--junit", "junit.xml"], ["--lazy"], ["--no-probes"], ["--time-limit", "1s"], ["-s", "wrong_answer/b.py"]])


def make_run(draw, material, case):
    place_package(draw, material, case)
    case.args = ["run", draw.choice(["b.py", "p/submissions/accepted/a.py", "nonesuch"]), "p"]


def make_import(draw, material, case):
    files = damaged(draw, material, dict(draw.choice([material.polygon, material.polygon, material.library])), draw.choice([1, 1, 2, 3]))
    case.files.update({f"s/{name}": data for name, data in files.items()})
    case.args = ["import", draw.choice(["s", "s", "s/sums"]), "made"]


def make_unpack(draw, material, case):
    files = dict(material.polygon)
    if draw.random() < 0.3:
        damaged(draw, material, files, 1)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", draw.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name.replace("\0", "_") or "x"), files[name])
        if draw.random() < 0.1:
            archive.writestr(zipfile.ZipInfo("bomb.txt"), b"0" * draw.choice([1_000_000, 300_000_000]), zipfile.ZIP_DEFLATED)
        if draw.random() < 0.1:
            archive.writestr(zipfile.ZipInfo(draw.choice(["../x", "/x", "C:\\x", "tests", "a" * 5000, "x/../../y"])), b"1")
    data = buffer.getvalue()
    if draw.random() < 0.7:
        data = bytearray(data)
        for _ in range(draw.choice([1, 2, 5])):
            # The directory of an archive is at its end.
            at = draw.randrange(len(data)) if draw.random() < 0.3 else max(0, len(data) - 1 - draw.randrange(4000))
            data[at] = draw.choice([0, 255, 127, draw.randrange(256)])
        data = bytes(data)
    case.files["s.zip"] = data
    case.args = ["import", "s.zip", "made"]


def make_export(draw, material, case):
    place_package(draw, material, case)
    case.args = ["export", "p", "--as", draw.choice(["legacy", "2025-09", "domjudge"]), "-o", draw.choice(["made", "made.zip"])]


def make_stress(draw, material, case):
    case.files.update({"a.py": PYTHON, "b.py": draw.choice([WRONG, PYTHON]), "x.format": FORMAT if draw.random() < 0.5 else format_text(draw, material)})
    case.args = ["stress", "b.py", "-r", "a.py", "-f", "x.format", "-t", "1s", "-n", "30", "--shrink-time", "1s", "--certify", "500ms", "-s", "5"]
    flags = [["--exhaustive"], ["-k"], ["--any-failure"], ["--engine", "exec"], ["--max-elements", draw.choice(["1", "0", "18446744073709551615", "100000"])],
             ["--shape", draw.choice(SHAPES)], ["--checker", draw.choice(CHECKERS)], ["--let", "n=" + draw.choice(formats.LIMITS)], ["--memory-limit", "64"], ["--no-save"]]
    case.args += [word for flag in draw.sample(flags, draw.choice([0, 1, 2])) for word in flag]


def make_shrink(draw, material, case):
    case.files.update({"a.py": PYTHON, "b.py": WRONG, "x.format": FORMAT, "1.in": draw.choice([b"6\n1 2 3 4 5 6\n", b"5\n9 9 9 9 9\n", input_text(draw, material)])})
    case.args = ["shrink", "1.in", "b.py", "-r", "a.py", "--shrink-time", "1s", "--certify", "500ms"] + draw.choice([["-f", "x.format"], [], ["-i", "n; a[n] where 1<=n<=6; 0<=a<=9"]])


def make_replay(draw, material, case):
    files = {"finding.json": FINDING, "input.txt": b"5\n1 2 3 4 5\n", "original.txt": b"5\n1 2 3 4 5\n", "answer.txt": b"20\n", "output.txt": b"0\n", "stderr.txt": b""}
    for name in ["input.in", "input"]:
        files[name] = files["input.txt"]
    damaged(draw, material, files, draw.choice([0, 1, 2, 3]))
    case.files.update({f"f/{name}": data for name, data in files.items()})
    case.files.update({"b.py": WRONG, "a.py": PYTHON})
    case.args = ["replay", "f"] + draw.choice([[], ["--submission", "b.py", "--reference", "a.py"], ["--certify", "500ms"]])


def make_check(draw, material, case):
    for name in ["1.in", "1.out", "1.ans"]:
        case.files[name] = input_text(draw, material)
    if draw.random() < 0.3:
        case.files["1.ans"] = case.files["1.out"]
    case.args = ["check", draw.choice(CHECKERS), "1.in", "1.out", "1.ans"]


def make_files(draw, material, case):
    """Makes a case with files in place of folders, folders in place of files, and random bytes."""
    case.files["d/x"] = bytes(draw.randrange(256) for _ in range(draw.choice([0, 1, 50, 3000])))
    place = draw.choice(["d", "d/x", "/dev/null", "none", "/proc/self/mem", "-", "", "d/x/y"])
    case.args = draw.choice([["generate", place], ["validate", place, place], ["format", "fmt", place], ["format", "explain", place], ["import", place, "made"], ["verify", place],
                             ["build", place], ["replay", place], ["export", place, "--as", "legacy", "-o", place], ["stress", place, "-f", place, "-r", place, "-t", "1s"],
                             ["shrink", place, place], ["check", "tokens", place, place, place], ["run", place, place], ["generate", "d/x", "--out", place], ["doctor"], ["shapes"],
                             ["format", "from-ctd", place], ["enumerate", place, "-l", "2"], ["generate", "--json", place, "-i", "n where 1<=n<=2"]])
