// The page: what is typed goes to the library, and its answers go below each other.
import { countElements, invalidElements, problemItems, sampleElements, statementElements } from "./answers.js";
import { Editor } from "./editor.js";
import { element } from "./elements.js";
import { EXAMPLES } from "./examples.js";
import { Library } from "./library.js";
import { fragmentOf, textOfFragment } from "./link.js";

// Time in milliseconds without a keystroke after which inputs are generated; problems are looked for at once.
const PAUSE = 300;

const part = (id) => document.getElementById(id);
const notice = (text) => element("p", { className: "notice" }, text);

// The answers below each other: the place, the request, and what is shown.
const ANSWERS = [
  ["samples", (state) => ({ kind: "samples", format: state.format, seed: state.seed }), sampleElements],
  ["counts", ({ format }) => ({ kind: "counts", format }), countElements],
  ["invalid", ({ format }) => ({ kind: "invalid-inputs", format }), invalidElements],
  ["statement", ({ format, latex }) => ({ kind: "statement", format, latex }), statementElements],
];

class Page {
  constructor(library) {
    this.library = library;
    this.seed = 1;
    this.pause = 0;
    this.editor = new Editor(part("format"), part("underlines"), () => this.examine());
  }

  state() {
    return { format: this.editor.text, seed: this.seed, latex: part("latex").checked };
  }

  // Looks for problems, and asks for all answers if the format is valid.
  async examine() {
    clearTimeout(this.pause);
    part("shared").textContent = "";
    for (const [place] of ANSWERS) {
      this.library.cancel(place);
      part(place).classList.add("stale");
    }
    const found = await this.library.ask("problems", { kind: "problems", format: this.editor.text });
    if (found.error) {
      part("summary").textContent = found.error;
      return;
    }
    const { is_valid, problems } = found;
    this.editor.underline(problems);
    part("problems").replaceChildren(...problemItems(problems, (start, end) => this.editor.select(start, end)));
    const noun = is_valid ? "warning" : "error";
    part("summary").textContent = problems.length ? `${problems.length} ${noun}${problems.length > 1 ? "s" : ""}` : "No problems";
    if (is_valid) this.pause = setTimeout(() => ANSWERS.forEach((answer) => this.refresh(answer)), PAUSE);
  }

  async refresh([place, request, elements]) {
    part(place).classList.add("stale");
    const answer = await this.library.ask(place, request(this.state()));
    part(place).replaceChildren(...(answer.error ? [notice(answer.error)] : elements(answer)));
    part(place).classList.remove("stale");
  }

  refreshPlace(name) {
    this.refresh(ANSWERS.find(([place]) => place === name));
  }

  async writeNormalForm() {
    const answer = await this.library.ask("normal-form", { kind: "normal-form", format: this.editor.text });
    if (answer.text && answer.text !== this.editor.text) this.editor.text = answer.text;
  }

  async share() {
    history.replaceState(null, "", await fragmentOf(this.editor.text));
    try {
      await navigator.clipboard.writeText(location.href);
      part("shared").textContent = "The link is in the clipboard.";
    } catch {
      part("shared").textContent = "The link is in the address bar.";
    }
  }

  async infer() {
    const samples = [...document.querySelectorAll(".sample-in textarea")].map((area) => area.value);
    part("infer-result").textContent = "…";
    const answer = await this.library.ask("infer", { kind: "inference", statement: part("section").value, samples });
    part("questions").replaceChildren();
    if (answer.error) {
      part("infer-result").textContent = answer.error;
      return;
    }
    const { text, questions, notes } = answer;
    this.editor.text = text;
    const left = questions.length ? ` ${questions.length === 1 ? "A question is" : "Questions are"} left:` : "";
    part("infer-result").textContent = ["The format is above.", ...notes].join(" ") + left;
    part("questions").append(...questions.map((question) => this.questionItem(question)));
  }

  questionItem({ this: chosen, other, text }) {
    const button = element("button", { type: "button" }, "Take the other");
    button.addEventListener("click", () => {
      this.editor.text = text;
      part("questions").replaceChildren();
      part("infer-result").textContent = "The other format is above.";
      part("format").focus();
    });
    const code = (line) => element("code", {}, line);
    return element("li", {}, element("p", {}, "Is it ", code(chosen), ", or ", code(other), "? "), button);
  }
}

function addSample() {
  const number = document.querySelectorAll(".sample-in").length + 1;
  const area = element("textarea", { id: `sample-${number}`, rows: 4, spellcheck: false });
  const label = element("label", { htmlFor: area.id }, `Sample input ${number}`);
  part("samples-in").append(element("div", { className: "sample-in" }, label, area));
  return area;
}

function connect(page) {
  part("normal-form").addEventListener("click", () => page.writeNormalForm());
  part("share").addEventListener("click", () => page.share());
  part("run-infer").addEventListener("click", () => page.infer());
  part("add-sample").addEventListener("click", () => addSample().focus());
  part("latex").addEventListener("change", () => page.refreshPlace("statement"));
  part("others").addEventListener("click", () => {
    page.seed += 1;
    part("seed").textContent = `seed ${page.seed}`;
    page.refreshPlace("samples");
  });
  part("example").addEventListener("change", (event) => (page.editor.text = EXAMPLES[event.target.value][1]));
  const openLink = async () => {
    const text = await textOfFragment(location.hash);
    if (text !== null) page.editor.text = text;
    return text !== null;
  };
  addEventListener("hashchange", openLink);
  return openLink;
}

async function start() {
  part("example").append(...EXAMPLES.map(([name], number) => element("option", { value: number }, name)));
  addSample();
  part("summary").textContent = "Loading…";
  try {
    const page = new Page(await Library.load("rebut_web_bg.wasm"));
    const openLink = connect(page);
    if (!(await openLink())) page.editor.text = part("format").value || EXAMPLES[0][1];
  } catch (error) {
    part("summary").textContent = error.message;
  }
}

start();
