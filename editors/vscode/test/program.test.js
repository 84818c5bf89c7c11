// What the real program reports is what the messages expect. `REBUT` names the program, and `PROBLEM` a folder with a wrong
// `sol.py`, `brute.py`, `input.format` and a sample that `sol.py` passes; without them, these tests are skipped.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const messages = require("../messages.js");
const { runRebut } = require("../rebut.js");

const { REBUT: program, PROBLEM: cwd } = process.env;
const options = { skip: program && cwd ? false : "REBUT and PROBLEM are not set" };
const run = (args, more = {}) => runRebut({ program, args, cwd, ...more });
const search = (more) => messages.stressArguments("sol.py", "brute.py", null, ["--seed", "1", ...more]);

test("samples are listed, run and judged", options, async () => {
  const listed = await run(messages.listArguments());
  const samples = listed.events.filter(({ event }) => event === "sample");
  assert.deepEqual(samples.map(({ name, input }) => [name, input]), [["1", "1.in"]]);
  const { events, ...ended } = await run(messages.testArguments("sol.py", ["1.in"]));
  const judged = events.filter(({ event }) => event === "judged").map(messages.readSampleResult);
  assert.deepEqual(judged.map(({ position, passed }) => [position, passed]), [[0, true]]);
  assert.equal(messages.concludeRun({ events, ...ended }).kind, "passed");
});

test("a finding is found, replayed, shrunk and added", options, async () => {
  const shown = [];
  const onEvent = (event) => shown.push(messages.describeProgress(event));
  const { kind, message, found } = messages.concludeRun(await run(search(["--cases", "100"]), { onEvent }));
  assert.equal(kind, "found", message);
  assert.match(message, /^sol\.py: wrong answer on an input of 2 elements\.$/);
  assert.ok(shown.includes("Searching: sol.py against brute.py"), shown.join("\n"));
  const failure = messages.readFailure(found);
  assert.deepEqual([failure.expected, failure.actual], ["-1\n", "0\n"]);

  const replayed = messages.concludeRun(await run(messages.replayArguments(found.folder)));
  assert.equal(messages.readFailure(replayed.found).message, failure.message);
  const shrunk = messages.concludeRun(await run(messages.shrinkArguments(`${found.folder}/input.txt`, "sol.py", null)));
  assert.equal(shrunk.found.input, found.input);

  const added = await run(messages.saveArguments(found.folder, cwd));
  assert.match(messages.readNotes(added.events), /has a new sample, `kills_sol`$/);
  const tested = await run(messages.testArguments("sol.py", ["1.in", "kills_sol.in"]));
  const failed = tested.events.find(({ event }) => event === "found");
  assert.equal(messages.readSampleResult(failed).position, 1);
});

test("errors are those of the program", options, async () => {
  const missing = messages.concludeRun(await run(messages.testArguments("missing.py", ["1.in"])));
  assert.deepEqual([missing.kind, missing.message.startsWith("error: ")], ["error", true]);
  await assert.rejects(run([], { program: "/missing/rebut" }), /failed to start `\/missing\/rebut`/);
});

test("a search can be cancelled", options, async () => {
  const token = { onCancellationRequested: (interrupt) => ((token.interrupt = interrupt), { dispose() {} }) };
  // The reference against itself: nothing is found.
  const args = messages.stressArguments("brute.py", "brute.py", null, ["--time", "60s"]);
  const onEvent = ({ event }) => event === "progress" && token.interrupt();
  assert.equal(messages.concludeRun(await run(args, { onEvent, token })).kind, "cancelled");
});
