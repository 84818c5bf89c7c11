// What the events of `rebut --json` mean for the editor. Nothing here touches a file, a process or the editor, so
// `node --test` can run it.
"use strict";
const path = require("path");

const VERDICTS = {
  AC: "accepted",
  WA: "wrong answer",
  PE: "presentation error",
  TLE: "time limit exceeded",
  MLE: "memory limit exceeded",
  OLE: "output limit exceeded",
  RTE: "run-time error",
  CE: "compile error",
  JE: "judge error",
};
const SOURCE_EXTENSIONS = ["c", "cc", "cpp", "cxx", "go", "java", "js", "py", "rs"];
// Words in the names of sources that are probably right but slow, the likeliest first.
const REFERENCE_WORDS = ["reference", "brute", "bruteforce", "naive", "slow"];

const nameVerdict = (code) => VERDICTS[code] || code;
const isSource = (file) => SOURCE_EXTENSIONS.includes(path.extname(file).slice(1));

/// Splits the output of the program, which arrives in pieces, into events.
class EventReader {
  constructor() {
    this.rest = "";
  }

  take(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    return lines.map(parseEvent).filter((event) => event !== null);
  }
}

function parseEvent(line) {
  try {
    const event = JSON.parse(line);
    return event && typeof event.event === "string" ? event : null;
  } catch {
    return null;
  }
}

function describeActivity({ verb, subject, done, of, noun }) {
  const count = of ? ` ${done} of ${of} ${noun}` : done ? ` ${done} ${noun}` : "";
  return `${verb} ${subject}${count}`.trim();
}

const PROGRESS = {
  activity: describeActivity,
  compiled: ({ name }) => `Compiled ${path.basename(name)}`,
  started: ({ submissions, reference }) => `Searching: ${submissions.join(", ")} against ${reference}`,
  progress: ({ cases, elapsed_ms }) => `${cases} inputs in ${Math.round(elapsed_ms / 1000)} s`,
  failed: ({ submission, verdict, case: number }) => `${submission}: ${nameVerdict(verdict)} on input ${number}`,
  shrinking: ({ size_before, size, tried }) => `Shrinking: ${size_before} → ${size}, ${tried} tried`,
  judged: ({ test_case, verdict }) => `${test_case}: ${nameVerdict(verdict)}`,
};

/// Returns what to show while the program runs, or null if the event is no progress.
function describeProgress(event) {
  const describe = PROGRESS[event.event];
  return describe ? describe(event) : null;
}

/// Returns the part of the program's messages that says why it failed, without what it did before.
function extractError(text) {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^error(\[[\w-]+\])?:/.test(line));
  return (start < 0 ? lines : lines.slice(start)).join("\n").trim();
}

/// Returns how a run ended: `kind` is `found`, `passed`, `cancelled` or `error`, and `message` is for a person.
function concludeRun({ status, events, errors }) {
  const find = (name) => events.filter((event) => event.event === name).pop();
  const summary = find("summary"), found = find("found");
  if (status === 130 || (summary && summary.reason === "interrupted")) {
    return { kind: "cancelled", message: "Cancelled." };
  }
  if (found) {
    const guess = summary && summary.guessed_format ? " The format of inputs is a guess from the samples." : "";
    return { kind: "found", found, message: `${describeFailure(found)}.${guess}` };
  }
  if (status !== 0 || !summary) {
    return { kind: "error", message: extractError(errors) || `rebut ended with status ${status}` };
  }
  return { kind: "passed", message: describeSuccess(summary) };
}

function describeFailure({ submission, verdict, size_after, size_unit }) {
  const size = size_after && verdict !== "CE" ? ` on an input of ${size_after} ${size_unit}` : "";
  return `${path.basename(submission)}: ${nameVerdict(verdict)}${size}`;
}

function describeSuccess({ result, result_reason, progress }) {
  const inputs = progress ? ` in ${progress.cases} inputs` : "";
  return result === "inconclusive" ? `Inconclusive: ${result_reason}` : `Nothing found${inputs}.`;
}

/// Returns what the program wants to be known, such as where a test was added.
function readNotes(events) {
  return events.filter((event) => event.event === "warning").map(({ message }) => message).join(" ");
}

/// Returns the result of a sample from the event `judged`. `position` is its place among those that were run: the number
/// in front of the name keeps their order.
function readSampleResult({ test_case, verdict, message, wall_time_ms }) {
  const number = /^sample\/(\d+)-/.exec(test_case);
  return {
    position: number ? Number(number[1]) - 1 : -1,
    passed: verdict === "AC",
    message: message ? `${nameVerdict(verdict)}: ${message}` : nameVerdict(verdict),
    duration: wall_time_ms,
  };
}

/// Returns the message of a failed test, with the two texts that the editor compares.
function readFailure(found) {
  const lines = [`${nameVerdict(found.verdict)}: ${found.message}`, ...(found.hints || [])];
  if (found.stderr) lines.push("", "standard error:", found.stderr);
  const hasOutputs = found.judged_by === "comparison" && found.verdict === "WA";
  return { message: lines.join("\n"), ...(hasOutputs && { expected: found.answer, actual: found.output }) };
}

/// Returns the source that a finding is about: the submission, or the reference if that failed.
const culpritOf = (record) => (record.culprit === "reference" ? record.reference : record.submission);
const nameFinding = (record) => `${path.basename(culpritOf(record))}: ${nameVerdict(record.verdict)}`;

/// Returns how the view shows a finding, from its `finding.json` and the name of its folder.
function describeFinding(record, folder) {
  const number = /^\d+/.exec(folder);
  return {
    label: nameFinding(record),
    description: [number ? number[0] : folder, record.message].filter(Boolean).join(" · "),
  };
}

/// Orders sources: those that are named like references come first.
function orderReferences(files) {
  const rank = (file) => {
    const words = path.parse(file).name.toLowerCase().split(/[^a-z]+/);
    const place = REFERENCE_WORDS.findIndex((word) => words.includes(word));
    return place < 0 ? REFERENCE_WORDS.length : place;
  };
  return [...files].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

// The arguments of the commands.
const EVENTS = ["--json", "-"];
const inPackage = (folder) => (folder ? ["--problem", folder] : []);
const withReference = (reference) => (reference ? ["--reference", reference] : []);
const listArguments = () => ["test", "--list", ...EVENTS];
const testArguments = (submission, samples) =>
  ["test", ...(submission ? [submission] : []), ...EVENTS, "--samples", ...samples];
const stressArguments = (submission, reference, package_, options) =>
  ["stress", submission, ...withReference(reference), ...inPackage(package_), ...options, ...EVENTS];
const shrinkArguments = (input, submission, package_) =>
  ["shrink", input, submission, ...inPackage(package_), ...EVENTS];
const replayArguments = (finding) => ["replay", finding, ...EVENTS];
const saveArguments = (finding, folder) => ["replay", finding, "--save", folder, ...EVENTS];

module.exports = {
  EventReader, SOURCE_EXTENSIONS, concludeRun, culpritOf, describeFinding, describeProgress, extractError, isSource,
  listArguments, nameFinding, orderReferences, readFailure, readNotes, readSampleResult, replayArguments, saveArguments,
  shrinkArguments, stressArguments, testArguments,
};
