// Elements of the page from data.

const SVG = "http://www.w3.org/2000/svg";

// Returns a new element with properties and children; texts are never read as markup.
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

// Returns a message with the words between backquotes as code.
export function withCode(text) {
  return text.split("`").map((word, number) => (number % 2 ? element("code", {}, word) : word));
}

// Returns a text in which control characters can be seen.
export function visible(text) {
  const picture = (letter) => (letter === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + letter.charCodeAt(0)));
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, picture).replace(/\ufeff/g, "[BOM]");
}

// Returns a text that can be scrolled with the keyboard.
export function textBlock(text, label, className = "") {
  const block = element("pre", { className, tabIndex: 0 }, text);
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", label);
  return block;
}

// Returns the picture of a part of an input. Its shapes are those of the library, which escapes all texts.
export function pictureElement({ title, width, height, shapes }) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}" class="picture">${shapes}</svg>`, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  const attributes = { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Picture of ${title}` };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const scroll = element("div", { className: "scroll", tabIndex: 0 }, svg);
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", `Picture of ${title}`);
  return element("figure", {}, element("figcaption", {}, title), scroll);
}
