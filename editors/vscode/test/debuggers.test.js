// How a debugger is started with an input.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { planDebugging } = require("../debuggers.js");

const plan = (source, types, more = {}) => planDebugging({ source, input: "/p/in put.txt", program: "/t/sol", types, ...more });

test("a native debugger gets a program that is compiled for it", () => {
  const { compile, configuration } = plan("/p/sol.cpp", ["node", "lldb", "cppdbg"]);
  assert.equal(compile.join(" "), "g++ -g -O0 -std=gnu++20 -o /t/sol /p/sol.cpp");
  assert.deepEqual(configuration, {
    type: "cppdbg", request: "launch", name: "sol.cpp on in put.txt", program: "/t/sol", cwd: "/p",
    args: ["<", '"/p/in put.txt"'], MIMode: "gdb", externalConsole: false, stopAtEntry: false,
  });
  const own = plan("/p/sol.rs", ["lldb"], { compiler: ["rustc", "-g", "--edition=2021"] });
  assert.equal(own.compile.join(" "), "rustc -g --edition=2021 -o /t/sol /p/sol.rs");
  assert.deepEqual(own.configuration.stdio, ["/p/in put.txt", null, null]);
});

test("Python is redirected by the shell of the terminal", () => {
  const { compile, configuration } = plan("/p/sol.py", ["debugpy"], { compiler: ["g++"] });
  assert.equal(compile, null);
  assert.equal(configuration.program, "/p/sol.py");
  assert.equal(configuration.args, "< '/p/in put.txt'");
  const quoted = planDebugging({ source: "s.py", input: "it's.in", program: "", types: ["python"] });
  assert.equal(quoted.configuration.args, "< 'it'\\''s.in'");
});

test("a name with special characters reaches gdb's shell as it is", () => {
  const { configuration } = planDebugging({ source: "s.c", input: "it's \"$a\".in", program: "", types: ["cppdbg"] });
  assert.equal(configuration.args[1], '"it\'s \\"\\$a\\".in"');
});

// Attributes of a launch, by their extensions. An editor underlines others, and the debuggers ignore them.
const ATTRIBUTES = {
  // `contributes.debuggers` in https://github.com/microsoft/vscode-cpptools/blob/main/Extension/package.json, 1.34
  cppdbg: ["MIMode", "args", "cwd", "environment", "externalConsole", "miDebuggerPath", "program", "setupCommands", "stopAtEntry"],
  // https://github.com/vadimcn/codelldb/blob/master/MANUAL.md#launching-a-new-process
  lldb: ["args", "cargo", "cwd", "env", "envFile", "program", "stdio", "stopOnEntry", "terminal"],
  // `contributes.debuggers` in https://github.com/microsoft/vscode-python-debugger/blob/main/package.json, 2026.7
  debugpy: ["args", "console", "cwd", "env", "envFile", "justMyCode", "module", "program", "python", "stopOnEntry"],
};

test("configurations have only attributes that the debuggers know", () => {
  for (const [source, type] of [["s.cpp", "cppdbg"], ["s.rs", "lldb"], ["s.py", "debugpy"]]) {
    const { type: chosen, request, name, ...rest } = plan(source, [type]).configuration;
    assert.deepEqual([chosen, request], [type, "launch"]);
    assert.ok(name);
    assert.deepEqual(Object.keys(rest).filter((one) => !ATTRIBUTES[type].includes(one)), []);
  }
});

test("what is missing is named", () => {
  assert.match(plan("/p/sol.cpp", ["node"]).problem, /no debugger for sol.cpp.*cpptools.*or CodeLLDB/);
  assert.match(plan("/p/sol.py", []).problem, /Install the extension Python Debugger/);
  assert.match(plan("/p/Sol.java", ["java"]).problem, /no debugger for Sol.java/);
});
