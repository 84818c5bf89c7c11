// The commands of the extension.
"use strict";
const fs = require("fs"), path = require("path");
const vscode = require("vscode");
const { debugOn } = require("./debugging.js");
const { findFinding, findPackage, nameIn, pickSource, problemOfFinding, readFinding } = require("./folders.js");
const {
  concludeRun, culpritOf, describeProgress, isSource, nameFinding, readNotes, saveArguments, shrinkArguments,
  stressArguments,
} = require("./messages.js");
const { kindOf, pathOf } = require("./explorer.js");

const DEBUG = "Debug on This Input", SAVE = "Add as Test";

/// Returns the file that a command is about: an item of the test view, a file of the explorer, or that of the editor.
function targetOf(argument) {
  if (argument && argument.id && argument.uri) {
    return kindOf(argument) === "folder" ? path.join(pathOf(argument), "folder") : argument.uri.fsPath;
  }
  if (argument && argument.fsPath) return argument.fsPath;
  const editor = vscode.window.activeTextEditor;
  return editor && editor.document.uri.scheme === "file" ? editor.document.uri.fsPath : null;
}

class Commands {
  constructor(folders, view, rebut) {
    Object.assign(this, { folders, view, rebut, panel: null });
  }

  /// Registers the commands. An error is shown.
  register() {
    const commands = ["runSamples", "stress", "shrink", "addAsTest", "debug", "showFinding"];
    return commands.map((name) =>
      vscode.commands.registerCommand(`rebut.${name}`, async (argument) => {
        try {
          await this[name](targetOf(argument), argument);
        } catch (error) {
          vscode.window.showErrorMessage(error.message);
        }
      }),
    );
  }

  /// Returns the source that commands are about: the target if it is one, or the last one that was shown of its folder, or one
  /// that is picked.
  async submissionFor(target, title) {
    if (target && isSource(target)) return target;
    const folder = this.folderOf(target), shown = this.folders.sourceOf(folder);
    if (shown) return shown;
    const chosen = await pickSource(folder, title);
    return chosen && chosen.file;
  }

  folderOf(target) {
    const first = (vscode.workspace.workspaceFolders || [])[0];
    if (!target && !first) throw new Error("No folder is open.");
    return target ? this.folders.of(target) : first.uri.fsPath;
  }

  async runSamples(target) {
    await this.view.runSamples(this.folderOf(target));
  }

  async stress(target) {
    const submission = await this.submissionFor(target, "Stress which submission?");
    if (!submission) return;
    const folder = this.folderOf(submission), package_ = findPackage(folder);
    const others = package_ ? [{ label: "The reference of the package", file: null }] : [];
    const title = `Stress ${path.basename(submission)} against…`;
    const reference = await pickSource(folder, title, { others, except: submission, references: true });
    if (!reference) return;
    const options = vscode.workspace.getConfiguration("rebut").get("stressOptions") || [];
    const args = stressArguments(nameIn(folder, submission), nameIn(folder, reference.file), package_, options);
    await this.search(`Stressing ${path.basename(submission)}`, args, folder);
  }

  async shrink(target) {
    if (!target || isSource(target)) throw new Error("Open the failing input, or choose it in the explorer.");
    const finding = findFinding(target), folder = this.folderOf(target);
    const title = `Shrink ${path.basename(target)}: which submission fails on it?`;
    const submission = finding ? readFinding(finding).submission : await this.submissionFor(target, title);
    if (!submission) return;
    const args = shrinkArguments(nameIn(folder, target), nameIn(folder, submission), findPackage(folder));
    await this.search(`Shrinking ${path.basename(target)}`, args, folder);
  }

  /// Runs a search with its progress, and shows what it found.
  async search(title, args, cwd) {
    const location = vscode.ProgressLocation.Notification;
    const run = await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
      const onEvent = (event) => {
        const message = describeProgress(event);
        if (message) progress.report({ message });
      };
      return this.rebut(args, cwd, { onEvent, token });
    });
    const { kind, message, found } = concludeRun(run);
    await this.view.refresh();
    if (kind === "error") throw new Error(message);
    if (kind !== "found") return vscode.window.showInformationMessage(message);
    const finding = found.folder ? path.resolve(cwd, found.folder) : null;
    if (finding) this.showPage(finding);
    // An input on which the reference fails has no answer.
    const actions = !finding ? [] : found.verdict === "JE" ? [DEBUG] : [DEBUG, SAVE];
    const chosen = await vscode.window.showWarningMessage(message, ...actions);
    const command = { [DEBUG]: "rebut.debug", [SAVE]: "rebut.addAsTest" }[chosen];
    return command && vscode.commands.executeCommand(command, vscode.Uri.file(path.join(finding, "input.txt")));
  }

  /// Returns the folder of the finding that a file is in, or one that is picked.
  async findingFor(target, title) {
    const finding = target && findFinding(target);
    if (finding) return finding;
    const items = [...(await this.folders.discover())].flatMap(([, findings]) =>
      findings.map((folder) => ({ label: path.basename(folder), description: readFinding(folder).message, folder })),
    );
    if (items.length === 0) throw new Error("There is no finding yet.");
    const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    return chosen && chosen.folder;
  }

  async addAsTest(target) {
    const finding = await this.findingFor(target, "Add which finding as a test?");
    if (!finding) return;
    const folder = problemOfFinding(finding);
    const ended = await this.rebut(saveArguments(nameIn(folder, finding), "."), folder);
    const { kind, message } = concludeRun(ended);
    if (kind === "error") throw new Error(message);
    await this.view.refresh();
    vscode.window.showInformationMessage(readNotes(ended.events));
  }

  async debug(target) {
    const finding = target && findFinding(target);
    if (!target || (isSource(target) && !finding)) throw new Error("Open an input, or choose it in the explorer.");
    const title = `Debug which submission on ${path.basename(target)}?`;
    const submission = finding ? culpritOf(readFinding(finding)) : await this.submissionFor(target, title);
    if (submission) await debugOn(submission, target);
  }

  async showFinding(target) {
    const finding = await this.findingFor(target, "Show which finding?");
    if (finding) this.showPage(finding);
  }

  /// Shows the page of a finding beside the editor, in place of that of another. It has no script, and its own policy forbids everything but its styles.
  showPage(finding) {
    const page = path.join(finding, "finding.html");
    const uri = vscode.Uri.file(path.join(finding, "README.md"));
    if (!fs.existsSync(page)) return vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    const title = nameFinding(readFinding(finding));
    if (!this.panel) {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("rebut.finding", title, place, { localResourceRoots: [] });
      this.panel.onDidDispose(() => (this.panel = null));
    }
    this.panel.title = title;
    this.panel.webview.html = fs.readFileSync(page, "utf8");
    return this.panel.reveal(undefined, true);
  }
}

module.exports = { Commands };
