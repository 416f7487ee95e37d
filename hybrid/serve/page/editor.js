// A text area with line numbers, and a mark at the place of an error.

export class Editor {
  constructor(root) {
    root.innerHTML = "";
    this.gutter = document.createElement("pre");
    this.gutter.className = "gutter";
    this.gutter.setAttribute("aria-hidden", "true");
    this.marks = document.createElement("pre");
    this.marks.className = "marks";
    this.marks.setAttribute("aria-hidden", "true");
    this.area = document.createElement("textarea");
    Object.assign(this.area, { wrap: "off", spellcheck: false, autocomplete: "off" });
    this.area.setAttribute("autocapitalize", "off");
    this.area.setAttribute("aria-label", root.dataset.label);
    const box = document.createElement("div");
    box.className = "area";
    box.append(this.marks, this.area);
    root.append(this.gutter, box);
    this.place = null;
    this.changed = () => {};
    this.lines = 0;
    this.area.addEventListener("input", () => {
      this.mark(null);
      this.changed();
    });
    this.area.addEventListener("scroll", () => this.scrolled());
    this.show();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.scrollTop = this.area.scrollLeft = 0;
    this.mark(null);
  }

  // The place of an error: line, column, end_line, end_column, counted from 1; null: none.
  mark(place, describedBy) {
    this.place = place;
    if (place) {
      this.area.setAttribute("aria-invalid", "true");
      this.area.setAttribute("aria-describedby", describedBy);
    } else {
      this.area.removeAttribute("aria-invalid");
      this.area.removeAttribute("aria-describedby");
    }
    this.show();
  }

  // Puts the cursor at a place and makes it seen.
  go(place) {
    const start = this.offset(place.line, place.column);
    this.area.focus();
    this.area.setSelectionRange(start, start);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    const wanted = (place.line - 3) * height;
    if (wanted < this.area.scrollTop || wanted > this.area.scrollTop + this.area.clientHeight / 2)
      this.area.scrollTop = Math.max(0, wanted);
    this.scrolled();
  }

  // Where in the text a line and a column are. Columns count characters, not the halves of pairs.
  offset(line, column) {
    let at = 0;
    for (let number = 1; number < line; number += 1) {
      const end = this.text.indexOf("\n", at);
      if (end < 0) return this.text.length;
      at = end + 1;
    }
    const stop = this.text.indexOf("\n", at);
    const characters = Array.from(this.text.slice(at, stop < 0 ? undefined : stop));
    return at + characters.slice(0, column - 1).join("").length;
  }

  show() {
    const lines = this.text.split("\n").length;
    const numbers = Array.from({ length: lines }, (_, index) => `${index + 1}`);
    const at = this.place ? Math.min(this.place.line, lines) : 0;
    if (at) {
      const mark = document.createElement("span");
      mark.className = "at";
      mark.textContent = `${at}`;
      const before = numbers.slice(0, at - 1).map((number) => `${number}\n`).join("");
      const after = numbers.slice(at).map((number) => `\n${number}`).join("");
      this.gutter.replaceChildren(before, mark, `${after}\n\n\n`);
    } else if (this.lines !== lines || this.gutter.children.length) {
      this.gutter.textContent = `${numbers.join("\n")}\n\n\n`;
    }
    this.lines = lines;
    this.underline();
    this.scrolled();
  }

  underline() {
    if (!this.place) {
      this.marks.replaceChildren();
      return;
    }
    const start = this.offset(this.place.line, this.place.column);
    const end = Math.max(start + 1, this.offset(this.place.end_line, this.place.end_column));
    const mark = document.createElement("mark");
    const marked = this.text.slice(start, end);
    mark.textContent = marked.trim() ? marked : `${marked.replaceAll("\n", "")} `;
    this.marks.replaceChildren(this.text.slice(0, start), mark);
  }

  scrolled() {
    this.gutter.scrollTop = this.area.scrollTop;
    this.marks.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
  }
}
