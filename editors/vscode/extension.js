// Starts `rebut lsp`, and shows the sample inputs that it generates in an editor of their own.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

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

async function activate() {
  const command = vscode.workspace.getConfiguration("rebut").get("path") || "rebut";
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

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
