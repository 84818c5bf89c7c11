// What the page shows of the answers of the library.
import { element, pictureElement, textBlock, visible, withCode } from "./elements.js";

const paragraph = (text, className = "") => element("p", { className }, ...withCode(text));

function placeText({ line, column, text }) {
  return text && `line ${line}, column ${column}: ${text}`;
}

// Returns the list items of problems; a button selects the place.
export function problemItems(problems, select) {
  return problems.map(({ severity, code, message, place, labels, note, help }) => {
    const button = element("button", { type: "button" }, `${place.line}:${place.column}`);
    button.setAttribute("aria-label", `Go to line ${place.line}, column ${place.column}`);
    button.addEventListener("click", () => select(place.start, place.end));
    const more = [place.text, ...labels.map(placeText), note && `note: ${note}`, help && `help: ${help}`].filter(Boolean);
    const headline = element("p", {}, button, " ", element("b", {}, severity), ": ", ...withCode(message), " ", element("small", {}, code));
    return element("li", { className: severity }, headline, ...more.map((text) => paragraph(text, "note")));
  });
}

function sampleElement({ text, error, pictures }, number) {
  const name = `Input ${number + 1}`;
  const shown = error ? paragraph(error, "notice") : textBlock(text, name);
  return element("div", {}, element("h3", {}, name), shown, ...pictures.map(pictureElement));
}

export function sampleElements({ samples }) {
  return [element("div", { className: "cards wide" }, ...samples.map(sampleElement))];
}

export function countElements({ sizes, has_more, first }) {
  const row = (cell, ...texts) => element("tr", {}, ...texts.map((text) => element(cell, {}, String(text))));
  const rows = sizes.map(({ elements, inputs }) => row("td", elements, inputs));
  const head = element("thead", {}, row("th", "numbers and characters", "valid inputs"));
  const table = element("table", {}, head, element("tbody", {}, ...rows));
  const cards = first.map(({ text }, number) => textBlock(text, `Smallest input ${number + 1}`));
  return [
    sizes.length ? table : paragraph("Too many to be counted here."),
    sizes.length && has_more ? paragraph("Larger ones are not counted here.", "note") : null,
    first.length ? element("h3", {}, "The first of them, in the order in which a search tries them") : null,
    element("div", { className: "cards" }, ...cards),
  ].filter(Boolean);
}

function invalidElement({ name, description, refusal, text }) {
  return element("div", {}, element("h3", {}, name), paragraph(description), textBlock(visible(text), `Invalid input ${name}`),
    paragraph(`refused: ${refusal}`, "note"));
}

export function invalidElements({ inputs, unbroken, untried }) {
  const cards = (breaks_layout) => element("div", { className: "cards" },
    ...inputs.filter((input) => input.breaks_layout === breaks_layout).map(invalidElement));
  const missing = unbroken.map((text) => element("li", {}, ...withCode(text)));
  return [
    cards(false),
    untried ? paragraph(`${untried} more ways to break a constraint were not tried here.`, "note") : null,
    missing.length ? element("h3", {}, "Not broken") : null,
    missing.length ? element("ul", {}, ...missing) : null,
    element("details", {}, element("summary", {}, "Of the notation: white space, line ends, spelling of numbers"), cards(true)),
  ].filter(Boolean);
}

export function statementElements({ text }) {
  return [textBlock(text, "Statement", "wrapped")];
}
