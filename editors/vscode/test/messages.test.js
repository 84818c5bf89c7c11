// What the editor shows of each event, and the arguments of the commands.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const messages = require("../messages.js");

const SUMMARY = { event: "summary", reason: "done", result: null, progress: null, guessed_format: false };
const FOUND = {
  event: "found", submission: "a/sol.cpp", verdict: "WA", message: "token 1: expected -1, found 0", hints: [],
  judged_by: "comparison", stderr: "", answer: "-1\n", output: "0\n", size_after: 2, size_unit: "elements",
};

test("events arrive in pieces", () => {
  const reader = new messages.EventReader();
  const pieces = ['{"event":"a"}\n{"ev', 'ent":"b"', "}\nno JSON\n7\n", '{"other":1}\n{"event":"cut"'];
  const names = pieces.map((piece) => reader.take(piece).map(({ event }) => event));
  assert.deepEqual(names, [["a"], [], ["b"], []]);
});

test("progress is a line", () => {
  const cases = [
    [{ event: "activity", verb: "Proving", subject: "sol.cpp", done: 0, of: null, noun: "" }, "Proving sol.cpp"],
    [{ event: "activity", verb: "Trying", subject: "b.py", done: 3, of: 9, noun: "inputs" }, "Trying b.py 3 of 9 inputs"],
    [{ event: "activity", verb: "Shrinking", subject: "b.py", done: 3, of: null, noun: "tried" }, "Shrinking b.py 3 tried"],
    [{ event: "compiled", name: "/tmp/x/sol.cpp" }, "Compiled sol.cpp"],
    [{ event: "started", submissions: ["a.c", "b.c"], reference: "r.py" }, "Searching: a.c, b.c against r.py"],
    [{ event: "progress", cases: 1234, elapsed_ms: 2600 }, "1234 inputs in 3 s"],
    [{ event: "failed", submission: "sol.cpp", verdict: "TLE", case: 9 }, "sol.cpp: time limit exceeded on input 9"],
    [{ event: "shrinking", size_before: 90, size: 12, tried: 40 }, "Shrinking: 90 → 12, 40 tried"],
    [{ event: "judged", test_case: "sample/01-1", verdict: "AC" }, "sample/01-1: accepted"],
    [{ event: "summary" }, null],
    [{ event: "an event of a later version" }, null],
  ];
  for (const [event, shown] of cases) assert.equal(messages.describeProgress(event), shown);
});

test("a run ends in one of four ways", () => {
  const conclude = (status, events, errors = "") => {
    const { kind, message } = messages.concludeRun({ status, events, errors });
    return [kind, message];
  };
  const found = ["found", "sol.cpp: wrong answer on an input of 2 elements."];
  assert.deepEqual(conclude(1, [FOUND, SUMMARY]), found);
  const guessed = conclude(1, [FOUND, { ...SUMMARY, guessed_format: true }]);
  assert.deepEqual(guessed, ["found", `${found[1]} The format of inputs is a guess from the samples.`]);
  const searched = { ...SUMMARY, result: "nothing-found", progress: { cases: 500 } };
  assert.deepEqual(conclude(0, [searched]), ["passed", "Nothing found in 500 inputs."]);
  const few = { ...SUMMARY, result: "inconclusive", result_reason: "only 3 inputs" };
  assert.deepEqual(conclude(0, [few]), ["passed", "Inconclusive: only 3 inputs"]);
  assert.deepEqual(conclude(130, [FOUND, SUMMARY]), ["cancelled", "Cancelled."]);
  assert.deepEqual(conclude(0, [{ ...SUMMARY, reason: "interrupted" }]), ["cancelled", "Cancelled."]);
  const text = "   Compiled  sol.cpp  C++  cached\nerror: no samples were found in `x`\n  help: samples are pairs\n";
  assert.deepEqual(conclude(2, [], text), ["error", "error: no samples were found in `x`\n  help: samples are pairs"]);
  assert.deepEqual(conclude("SIGSEGV", []), ["error", "rebut ended with status SIGSEGV"]);
  assert.deepEqual(conclude(1, [SUMMARY], ""), ["error", "rebut ended with status 1"]);
});

test("the result of a sample has its place", () => {
  const event = { test_case: "sample/02-b", verdict: "RTE", message: "exited with status 3", wall_time_ms: 7 };
  const result = messages.readSampleResult(event);
  assert.deepEqual(result, { position: 1, passed: false, message: "run-time error: exited with status 3", duration: 7 });
  const passed = messages.readSampleResult({ test_case: "secret/1", verdict: "AC", message: "", wall_time_ms: 1 });
  assert.deepEqual(passed, { position: -1, passed: true, message: "accepted", duration: 1 });
});

test("only the outputs of a comparison are compared", () => {
  const message = "wrong answer: token 1: expected -1, found 0";
  assert.deepEqual(messages.readFailure(FOUND), { message, expected: "-1\n", actual: "0\n" });
  const judged = { ...FOUND, judged_by: "program", hints: ["a hint"], stderr: "trace\n" };
  assert.deepEqual(messages.readFailure(judged), { message: `${message}\na hint\n\nstandard error:\ntrace\n` });
  const crashed = messages.readFailure({ ...FOUND, verdict: "RTE", message: "killed" });
  assert.deepEqual(crashed, { message: "run-time error: killed" });
});

test("findings have a name", () => {
  const record = { culprit: "submission", submission: "/p/sol.cpp", reference: "/p/b.py", verdict: "WA", message: "token 1" };
  const shown = (folder, changes = {}) => Object.values(messages.describeFinding({ ...record, ...changes }, folder));
  assert.deepEqual(shown("0003-sol-wrong-answer"), ["sol.cpp: wrong answer", "0003 · token 1"]);
  const judge = { culprit: "reference", submission: "", verdict: "JE" };
  assert.deepEqual(shown("0004-b-judge-error", judge), ["b.py: judge error", "0004 · token 1"]);
  assert.deepEqual(shown("mine", { message: "", verdict: "XX" }), ["sol.cpp: XX", "mine"]);
});

test("references come first", () => {
  const files = ["/p/abrupt.cpp", "/p/sol.cpp", "/p/slow_2.py", "/p/my-brute.cpp", "/p/reference.rs"];
  const ordered = ["/p/reference.rs", "/p/my-brute.cpp", "/p/slow_2.py", "/p/abrupt.cpp", "/p/sol.cpp"];
  assert.deepEqual(messages.orderReferences(files), ordered);
  assert.deepEqual(["a.cpp", "a.py", "a.in", "cpp"].map(messages.isSource), [true, true, false, false]);
});

test("the commands have arguments", () => {
  const check = (args, line) => assert.equal(args.join(" "), line);
  check(messages.testArguments(null, ["1.in"]), "test --json - --samples 1.in");
  check(messages.testArguments("s.c", ["1.in", "2.in"]), "test s.c --json - --samples 1.in 2.in");
  check(messages.stressArguments("s.c", "b.py", null, ["--time", "5s"]), "stress s.c --reference b.py --time 5s --json -");
  check(messages.stressArguments("s.c", null, "pkg", []), "stress s.c --problem pkg --json -");
  check(messages.shrinkArguments("1.in", "s.c", null), "shrink 1.in s.c --json -");
});

test("notes say where a test was added", () => {
  const events = [{ event: "warning", message: "`./` has a new sample, `kills_sol`" }, SUMMARY];
  assert.equal(messages.readNotes(events), "`./` has a new sample, `kills_sol`");
});
