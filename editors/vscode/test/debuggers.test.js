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
    args: ["<", "/p/in put.txt"], MIMode: "gdb", externalConsole: false, stopAtEntry: false,
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

test("what is missing is named", () => {
  assert.match(plan("/p/sol.cpp", ["node"]).problem, /no debugger for sol.cpp.*cpptools.*or CodeLLDB/);
  assert.match(plan("/p/sol.py", []).problem, /Install the extension Python Debugger/);
  assert.match(plan("/p/Sol.java", ["java"]).problem, /no debugger for Sol.java/);
});
