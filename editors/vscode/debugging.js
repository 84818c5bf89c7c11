// Starts a debugger that is installed, with a source and an input.
"use strict";
const { execFile } = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path");
const vscode = require("vscode");
const { planDebugging } = require("./debuggers.js");

/// Returns the types of debuggers of the extensions that are installed.
function installedDebuggers() {
  const contributed = vscode.extensions.all.flatMap(({ packageJSON }) => packageJSON.contributes?.debuggers || []);
  return contributed.map(({ type }) => type);
}

function compile([program, ...args], cwd) {
  return new Promise((done, failed) => {
    execFile(program, args, { cwd }, (error, _, text) => (error ? failed(new Error(text || error.message)) : done()));
  });
}

/// Debugs a source on an input. Throws an error with a message for a person if that is not possible.
async function debugOn(source, input) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rebut-debug-"));
  const program = path.join(folder, path.parse(source).name);
  const compiler = vscode.workspace.getConfiguration("rebut").get("debugCompiler");
  const plan = planDebugging({ source, input, program, types: installedDebuggers(), compiler });
  const clear = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    if (plan.problem) throw new Error(plan.problem);
    if (plan.compile) await compile(plan.compile, path.dirname(source));
    const workspace = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(source));
    const started = await vscode.debug.startDebugging(workspace, plan.configuration);
    if (!started) throw new Error(`The debugger \`${plan.configuration.type}\` did not start.`);
  } catch (error) {
    clear();
    throw error;
  }
  const listener = vscode.debug.onDidTerminateDebugSession(({ name }) => {
    if (name !== plan.configuration.name) return;
    listener.dispose();
    clear();
  });
}

module.exports = { debugOn };
