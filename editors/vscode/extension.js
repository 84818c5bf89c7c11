// Starts the parts of the extension: the language server, which shows the sample inputs that it generates in an editor of their
// own, the test view and the commands.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { Commands } = require("./commands.js");
const { ProblemFolders } = require("./folders.js");
const { runRebut } = require("./rebut.js");
const { TestView } = require("./explorer.js");

let client;

const programPath = () => vscode.workspace.getConfiguration("rebut").get("path") || "rebut";

/// Opens a sample input beside the format.
async function showSample(sample) {
  const document = await vscode.workspace.openTextDocument({ content: sample.text });
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

async function executeCommand(command, parameters, next) {
  const result = await next(command, parameters);
  if (command === "rebut.sampleInput" && result && typeof result.text === "string") {
    await showSample(result);
  }
  return result;
}

async function startLanguageServer() {
  const command = programPath();
  client = new LanguageClient(
    "rebut",
    "rebut",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "rebut-format" },
        { scheme: "untitled", language: "rebut-format" },
        { scheme: "file", pattern: "**/tests.toml" },
      ],
      initializationOptions: { showsSamples: true },
      middleware: { executeCommand },
    },
  );
  try {
    await client.start();
  } catch (error) {
    // The client may reject with nothing, or with a text.
    const cause = error ? `: ${error.message || error}` : "";
    vscode.window.showErrorMessage(`failed to start \`${command} lsp\`${cause}. Set \`rebut.path\`.`);
  }
}

async function activate(context) {
  const channel = vscode.window.createOutputChannel("rebut");
  const rebut = (args, cwd, { onEvent, onText = () => {}, token } = {}) => {
    const log = (text) => {
      channel.append(text);
      onText(text);
    };
    channel.appendLine(`> rebut ${args.join(" ")}`);
    return runRebut({ program: programPath(), args, cwd, onEvent, onText: log, token });
  };
  const folders = new ProblemFolders();
  const view = new TestView(folders, rebut);
  const remember = vscode.window.onDidChangeActiveTextEditor((editor) => folders.remember(editor));
  context.subscriptions.push(channel, view, remember, ...new Commands(folders, view, rebut).register());
  folders.remember(vscode.window.activeTextEditor);
  await Promise.all([view.refresh(), startLanguageServer()]);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
