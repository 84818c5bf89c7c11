// The library in a worker: one request after the other, each within a time limit.

// Time in milliseconds after which a request is given up.
const TIME_LIMIT = 4000;
// The same for a request that nobody waits for any more.
const SUPERSEDED_LIMIT = 250;

export class Library {
  #module;
  #worker = null;
  #running = null;
  #waiting = [];
  #lastId = 0;

  constructor(module) {
    this.#module = module;
  }

  // Loads and compiles the library.
  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} is not there: scripts/web builds it`);
    return new Library(await WebAssembly.compile(await response.arrayBuffer()));
  }

  // Answers a request. A later request of the same topic supersedes this one: its promise is never settled then.
  ask(topic, request) {
    this.cancel(topic);
    return new Promise((settle) => {
      this.#waiting.push({ id: ++this.#lastId, topic, request, settle });
      this.#runNext();
    });
  }

  // Withdraws the requests of a topic.
  cancel(topic) {
    this.#waiting = this.#waiting.filter((job) => job.topic !== topic);
    const running = this.#running;
    if (!running || running.topic !== topic || running.is_superseded) return;
    running.is_superseded = true;
    const left = SUPERSEDED_LIMIT - (performance.now() - running.since);
    this.#limit(running, Math.max(left, 0));
  }

  #runNext() {
    if (this.#running || this.#waiting.length === 0) return;
    const job = this.#waiting.shift();
    this.#running = job;
    job.since = performance.now();
    this.#limit(job, TIME_LIMIT);
    this.#startedWorker().postMessage({ id: job.id, request: job.request });
  }

  #startedWorker() {
    if (!this.#worker) {
      this.#worker = new Worker("worker.js", { type: "module" });
      this.#worker.onmessage = ({ data }) => this.#receive(data);
      this.#worker.onerror = () => this.#restart({ error: "the worker could not be started" });
      this.#worker.postMessage({ library: this.#module });
    }
    return this.#worker;
  }

  #receive({ id, answer, failed }) {
    if (this.#running?.id !== id) return;
    // After a panic the memory of the library is in an unknown state.
    if (failed) this.#restart({ error: `the library failed: ${failed}` });
    else this.#finish(answer);
  }

  #limit(job, time) {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => this.#restart({ error: "this takes too long in a browser", is_late: true }), time);
  }

  #restart(answer) {
    this.#worker?.terminate();
    this.#worker = null;
    if (this.#running) this.#finish(answer);
  }

  #finish(answer) {
    const job = this.#running;
    clearTimeout(job.timer);
    this.#running = null;
    if (!job.is_superseded) job.settle(answer);
    this.#runNext();
  }
}
