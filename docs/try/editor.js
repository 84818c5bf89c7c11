// The text of the format, with its problems underlined.
import { element } from "./elements.js";

export class Editor {
  #area;
  #underlines;

  constructor(area, underlines, changed) {
    this.#area = area;
    this.#underlines = underlines;
    area.addEventListener("input", () => {
      this.underline([]);
      changed();
    });
    area.addEventListener("scroll", () => this.#follow());
    new ResizeObserver(() => this.#follow()).observe(area);
  }

  get text() {
    return this.#area.value;
  }

  set text(text) {
    this.#area.value = text;
    this.#area.dispatchEvent(new Event("input"));
  }

  // Underlines the places of problems; where they overlap, the first one wins.
  underline(problems) {
    const text = this.text, parts = [];
    let at = 0;
    const sorted = [...problems].sort((a, b) => a.place.start - b.place.start);
    for (const { place, severity } of sorted) {
      const start = Math.max(place.start, at), end = Math.max(place.end, place.start + 1);
      if (end <= start) continue;
      // At the end of a line or of the text there may be nothing to underline, so a blank is.
      const is_empty = start >= text.length || (end === start + 1 && text[start] === "\n");
      parts.push(text.slice(at, start), element("mark", { className: severity }, is_empty ? " " : text.slice(start, end)));
      at = is_empty ? start : end;
    }
    this.#underlines.replaceChildren(...parts, text.slice(at), "\n");
    this.#follow();
  }

  // Selects a range, and moves the focus to the text.
  select(start, end) {
    this.#area.focus();
    this.#area.setSelectionRange(start, Math.max(end, Math.min(start + 1, this.text.length)));
  }

  #follow() {
    this.#underlines.scrollTop = this.#area.scrollTop;
    this.#underlines.scrollLeft = this.#area.scrollLeft;
  }
}
