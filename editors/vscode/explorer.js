// The test view: samples and findings of the folders of problems, and the runs of them.
"use strict";
const path = require("path");
const vscode = require("vscode");
const { nameIn, readFinding } = require("./folders.js");
const {
  concludeRun, describeFinding, listArguments, readFailure, readSampleResult, replayArguments, testArguments,
} = require("./messages.js");

// Time in milliseconds without a change of a file after which the view is refreshed.
const QUIET_MS = 500;

// The kind of an item and its path are its identifier, on which the menus in `package.json` depend.
const itemId = (kind, file) => `${kind}:${file}`;
const kindOf = (item) => item.id.slice(0, item.id.indexOf(":"));
const pathOf = (item) => item.id.slice(item.id.indexOf(":") + 1);

class TestView {
  /// `rebut(args, cwd, options)` runs the program.
  constructor(folders, rebut) {
    Object.assign(this, { folders, rebut, timer: null });
    this.controller = vscode.tests.createTestController("rebut", "rebut");
    this.controller.refreshHandler = () => this.refresh();
    const { Run } = vscode.TestRunProfileKind;
    this.controller.createRunProfile("Run", Run, (request, token) => this.run(request, token), true);
    this.watchers = ["**/*.{in,ans,out,txt,format}", "**/problem.yaml", "**/{sol,solution}.*", "**/finding.json"].map(
      (pattern) => this.watch(pattern),
    );
  }

  dispose() {
    clearTimeout(this.timer);
    [this.controller, ...this.watchers].forEach((one) => one.dispose());
  }

  watch(pattern) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, false);
    watcher.onDidCreate(() => this.refreshSoon());
    watcher.onDidDelete(() => this.refreshSoon());
    return watcher;
  }

  refreshSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), QUIET_MS);
  }

  /// Lists the folders, samples and findings anew. One refresh runs at a time.
  refresh() {
    this.refreshed = (this.refreshed || Promise.resolve()).then(() => this.list()).catch(console.error);
    return this.refreshed;
  }

  async list() {
    const found = await this.folders.discover();
    const items = [];
    for (const [folder, findings] of found) {
      const item = this.controller.createTestItem(itemId("folder", folder), labelOf(folder), vscode.Uri.file(folder));
      item.children.replace([...(await this.samplesIn(folder)), ...findings.map((one) => this.findingItem(one))]);
      if (item.children.size > 0) items.push(item);
    }
    this.controller.items.replace(items);
    vscode.commands.executeCommand("setContext", "rebut.hasProblems", found.size > 0);
  }

  async samplesIn(folder) {
    const listed = await this.rebut(listArguments(), folder).catch(() => ({ events: [] }));
    const samples = listed.events.filter((event) => event.event === "sample");
    return samples.map(({ name, input }, number) => {
      const file = path.resolve(folder, input);
      const item = this.controller.createTestItem(itemId("sample", file), name, vscode.Uri.file(file));
      item.description = "sample";
      item.sortText = `0${String(number).padStart(6, "0")}`;
      return item;
    });
  }

  findingItem(folder) {
    const input = vscode.Uri.file(path.join(folder, "input.txt"));
    const name = path.basename(folder);
    const item = this.controller.createTestItem(itemId("finding", folder), name, input);
    item.sortText = `1${name}`;
    try {
      Object.assign(item, describeFinding(readFinding(folder), name));
    } catch (error) {
      item.error = `failed to read finding.json: ${error.message}`;
    }
    return item;
  }

  /// Returns the item of a folder of a problem.
  itemOf(folder) {
    return this.controller.items.get(itemId("folder", folder));
  }

  /// Runs the samples of a folder with a submission, as from the view.
  async runSamples(folder) {
    await this.refresh();
    const samples = [...(this.itemOf(folder)?.children || [])].map(([, item]) => item).filter(isSample);
    if (samples.length === 0) throw new Error(`No sample with an answer was found in ${folder}.`);
    await this.run(new vscode.TestRunRequest(samples));
    // Shows the first failure, or what was printed.
    await vscode.commands.executeCommand("workbench.view.testing.focus");
    await vscode.commands.executeCommand("testing.openOutputPeek");
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const leaves = leavesOf(request.include || [...this.controller.items].map(([, item]) => item), request.exclude);
    const byFolder = new Map();
    for (const item of leaves) {
      const folder = pathOf(item.parent);
      byFolder.set(folder, [...(byFolder.get(folder) || []), item]);
      run.enqueued(item);
    }
    try {
      for (const [folder, items] of byFolder) {
        const job = { run, folder, token: token || run.token };
        const samples = items.filter(isSample);
        if (samples.length > 0) await this.runItems(job, samples, this.testArguments(folder, samples), endSamples);
        for (const item of items.filter((one) => !isSample(one))) {
          await this.runItems(job, [item], replayArguments(nameIn(folder, pathOf(item))), endFinding);
        }
      }
    } finally {
      run.end();
    }
  }

  testArguments(folder, samples) {
    const names = samples.map((item) => nameIn(folder, pathOf(item)));
    return testArguments(nameIn(folder, this.folders.sourceOf(folder)), names);
  }

  /// Runs the program for some items, and reports their results.
  async runItems({ run, folder, token }, items, args, end) {
    if (token.isCancellationRequested) return items.forEach((item) => run.skipped(item));
    items.forEach((item) => run.started(item));
    const failures = new Map();
    const onEvent = (event) => event.event === "judged" && showJudged(run, items, failures, event);
    const onText = (text) => run.appendOutput(text.replaceAll("\n", "\r\n"));
    try {
      end(run, items, concludeRun(await this.rebut(args, folder, { onEvent, onText, token })), failures);
    } catch (error) {
      items.forEach((item) => run.errored(item, new vscode.TestMessage(error.message)));
    }
  }
}

const isSample = (item) => kindOf(item) === "sample";

function labelOf(folder) {
  const relative = vscode.workspace.asRelativePath(folder, true);
  return relative === folder ? path.basename(folder) : relative;
}

/// Returns the samples and findings among items and below them.
function leavesOf(items, exclude = []) {
  const wanted = items.filter((item) => !exclude.includes(item));
  return wanted.flatMap((item) =>
    kindOf(item) === "folder" ? leavesOf([...item.children].map(([, child]) => child), exclude) : [item],
  );
}

function messageAt(item, text, { expected, actual } = {}) {
  const message = expected === undefined ? new vscode.TestMessage(text) : vscode.TestMessage.diff(text, expected, actual);
  message.location = new vscode.Location(item.uri, new vscode.Position(0, 0));
  return message;
}

/// Shows that a sample passes as soon as it is known. Failures are kept: only at the end, the first one has its output.
function showJudged(run, items, failures, event) {
  const result = readSampleResult(event), item = items[result.position];
  if (!item) return;
  if (result.passed) run.passed(item, result.duration);
  else failures.set(item, result);
}

function endSamples(run, items, { kind, message, found }, failures) {
  if (kind === "error") return items.forEach((item) => run.errored(item, messageAt(item, message)));
  const first = found && found.test_case ? items[readSampleResult(found).position] : null;
  for (const [item, { message: text, duration }] of failures) {
    const failure = item === first ? readFailure(found) : { message: text };
    run.failed(item, messageAt(item, failure.message, failure), duration);
  }
  // A submission that does not compile fails on every sample.
  const failure = found && failures.size === 0 ? readFailure(found) : null;
  if (failure) items.forEach((item) => run.failed(item, messageAt(item, failure.message)));
  return undefined;
}

function endFinding(run, [item], { kind, message, found }) {
  if (kind === "passed") return run.passed(item);
  if (kind === "cancelled") return run.skipped(item);
  if (kind === "error") return run.errored(item, messageAt(item, message));
  const failure = readFailure(found);
  return run.failed(item, messageAt(item, failure.message, failure));
}

module.exports = { TestView, kindOf, pathOf };
