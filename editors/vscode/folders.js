// Where the files of a problem are: its folder, package, sources, samples and findings.
"use strict";
const fs = require("fs"), path = require("path");
const vscode = require("vscode");
const { SOURCE_EXTENSIONS, isSource, orderReferences } = require("./messages.js");

const IGNORED = "**/{node_modules,target,.git}/**";
const MAX_FILES = 1000;

const findFiles = async (pattern) =>
  (await vscode.workspace.findFiles(pattern, IGNORED, MAX_FILES)).map((uri) => uri.fsPath);

/// Returns the folder and those around it, as far as the folder that is open.
function enclosingFolders(folder) {
  const open = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
  const found = [folder];
  while (open && folder !== open.uri.fsPath && folder !== path.dirname(folder)) {
    folder = path.dirname(folder);
    found.push(folder);
  }
  return found;
}

/// Returns the folder of the package that a folder is in, or null.
function findPackage(folder) {
  return enclosingFolders(folder).find((one) => fs.existsSync(path.join(one, "problem.yaml"))) || null;
}

/// Returns a file as it is named in a folder, so that messages are short.
function nameIn(folder, file) {
  const relative = file && path.relative(folder, file);
  return relative && !relative.startsWith("..") ? relative : file;
}

/// Returns the folder of the finding that a file is in, or null.
function findFinding(file) {
  const folder = path.dirname(file);
  return fs.existsSync(path.join(folder, "finding.json")) ? folder : null;
}

const readFinding = (folder) => JSON.parse(fs.readFileSync(path.join(folder, "finding.json"), "utf8"));

/// Returns the folder of the problem that a finding is of: that of its package, or of its submission if the finding is in
/// it, or else the one with the folder of findings.
const problemOfFinding = (finding) => findPackage(finding) || path.dirname(path.dirname(finding));

/// The folders of problems that are open. They have a solution, a format, a package or findings, or a source in them is
/// shown in an editor.
class ProblemFolders {
  constructor() {
    this.known = new Set();
    this.sources = new Map();
  }

  /// Looks for folders, and returns them with their findings.
  async discover() {
    const patterns = ["**/{problem.yaml,input.format}", `**/{sol,solution}.{${SOURCE_EXTENSIONS}}`];
    const marks = await Promise.all(patterns.map(findFiles));
    const findings = (await findFiles("**/findings/**/finding.json")).map((file) => path.dirname(file));
    for (const mark of marks.flat()) {
      const folder = path.dirname(mark);
      this.known.add(findPackage(folder) || folder);
    }
    findings.forEach((finding) => this.known.add(problemOfFinding(finding)));
    const found = new Map([...this.known].filter((folder) => fs.existsSync(folder)).sort().map((one) => [one, []]));
    findings.sort().forEach((finding) => found.get(problemOfFinding(finding)).push(finding));
    return found;
  }

  /// Returns the folder of the problem that a file belongs to.
  of(file) {
    const finding = findFinding(file);
    if (finding) return problemOfFinding(finding);
    const folders = enclosingFolders(path.dirname(file));
    return folders.find((folder) => this.known.has(folder)) || findPackage(folders[0]) || folders[0];
  }

  /// Remembers the source that is shown in an editor: the samples of its folder are run with it.
  remember(editor) {
    const file = editor && editor.document.uri.scheme === "file" ? editor.document.uri.fsPath : "";
    if (isSource(file)) this.sources.set(this.of(file), file);
  }

  /// Returns the source that was shown last among those of a folder, or null.
  sourceOf(folder) {
    return this.sources.get(folder) || null;
  }
}

/// Asks for a source in a folder; those that are named like references come first if `references` is set.
async function pickSource(folder, title, { others = [], except = null, references = false } = {}) {
  const pattern = new vscode.RelativePattern(folder, `**/*.{${SOURCE_EXTENSIONS}}`);
  const files = (await findFiles(pattern)).filter((file) => file !== except);
  const ordered = references ? orderReferences(files) : files.sort();
  const items = ordered.map((file) => ({ label: path.relative(folder, file), file }));
  const browse = { label: "Choose a file…", browse: true };
  const chosen = await vscode.window.showQuickPick([...others, ...items, browse], { title, matchOnDescription: true });
  if (!chosen || !chosen.browse) return chosen;
  const opened = await vscode.window.showOpenDialog({ defaultUri: vscode.Uri.file(folder), title });
  return opened ? { file: opened[0].fsPath } : undefined;
}

module.exports = { ProblemFolders, findFinding, findPackage, nameIn, pickSource, problemOfFinding, readFinding };
