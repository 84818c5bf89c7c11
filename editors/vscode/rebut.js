// Runs the program `rebut`.
"use strict";
const { spawn } = require("child_process");
const { EventReader } = require("./messages.js");

// Time in milliseconds that the program has to end by itself after it is interrupted.
const PATIENCE_MS = 5000;

/// Runs the program in a folder. `onEvent` receives each event as it happens, `onText` what the program shows a person, and
/// `token` cancels. Resolves with the status, all events and the text; rejects if the program cannot be started.
function runRebut({ program, args, cwd, onEvent = () => {}, onText = () => {}, token = null }) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const reader = new EventReader(), events = [];
    let errors = "", timer = null, isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      child.kill("SIGINT");
      timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    };
    const listener = token ? token.onCancellationRequested(interrupt) : null;
    if (token && token.isCancellationRequested) interrupt();
    child.stdout.setEncoding("utf8").on("data", (text) => {
      for (const event of reader.take(text)) {
        // A search reports its progress ten times a second: only the last one matters at the end.
        if (event.event !== "progress") events.push(event);
        onEvent(event);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
      onText(text);
    });
    const end = () => {
      clearTimeout(timer);
      if (listener) listener.dispose();
    };
    child.on("error", (error) => {
      end();
      failed(new Error(`failed to start \`${program}\`: ${error.message}. Set \`rebut.path\`.`));
    });
    child.on("close", (code, signal) => {
      end();
      done({ status: signal && isInterrupted ? 130 : (code ?? signal), events, errors });
    });
  });
}

module.exports = { runRebut };
