// How the debuggers that may be installed start a program with its standard input from a file. Nothing here touches the
// editor, so `node --test` can run it.
"use strict";
const path = require("path");

// For each extension of a source, how it is compiled for debugging, and the debuggers that are known, the best first.
const NATIVE = ["cppdbg", "lldb"];
const LANGUAGES = {
  c: { compiler: ["gcc", "-g", "-O0"], debuggers: NATIVE },
  cc: { compiler: ["g++", "-g", "-O0", "-std=gnu++20"], debuggers: NATIVE },
  py: { compiler: null, debuggers: ["debugpy", "python"] },
  rs: { compiler: ["rustc", "-g"], debuggers: NATIVE },
};
LANGUAGES.cpp = LANGUAGES.cxx = LANGUAGES.cc;

const EXTENSIONS = {
  cppdbg: "C/C++ (ms-vscode.cpptools)",
  lldb: "CodeLLDB (vadimcn.vscode-lldb)",
  debugpy: "Python Debugger (ms-python.debugpy)",
};

const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const quoteForGdb = (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`;

const CONFIGURATIONS = {
  // gdb starts the program through a shell, which redirects. The extension passes on what begins with this quotation mark;
  // around other arguments with spaces it puts two, and escapes nothing.
  cppdbg: (input) => ({ args: ["<", quoteForGdb(input)], MIMode: "gdb", externalConsole: false, stopAtEntry: false }),
  lldb: (input) => ({ stdio: [input, null, null] }),
  // Arguments in one text are interpreted by the shell of the terminal; those in a list are not.
  debugpy: (input) => ({ args: `< ${quoteForShell(input)}`, console: "integratedTerminal", justMyCode: true }),
};
CONFIGURATIONS.python = CONFIGURATIONS.debugpy;

/// Returns how to debug a source on an input: `compile` is a command, or null, and `configuration` is for the editor.
/// Returns `{ problem }` if no debugger is known or installed. `types` are those that are installed.
function planDebugging({ source, input, program, types, compiler }) {
  const name = path.basename(source), language = LANGUAGES[path.extname(source).slice(1)];
  if (!language) return { problem: `rebut knows no debugger for ${name} that reads its input from a file.` };
  const type = language.debuggers.find((one) => types.includes(one));
  if (!type) {
    const wanted = language.debuggers.map((one) => EXTENSIONS[one]).filter(Boolean).join(" or ");
    return { problem: `There is no debugger for ${name}. Install the extension ${wanted}.` };
  }
  const command = language.compiler && (compiler && compiler.length ? compiler : language.compiler);
  return {
    compile: command && [...command, "-o", program, source],
    configuration: {
      type,
      request: "launch",
      name: `${name} on ${path.basename(input)}`,
      program: command ? program : source,
      cwd: path.dirname(source),
      ...CONFIGURATIONS[type](input),
    },
  };
}

module.exports = { planDebugging };
