"use strict";
/* Makes a report move: steps through executions, switches relations, sorts and filters the table of
   a batch. Without it everything is there to be read. Text is never taken for markup. */
const hybridReport = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  let active = null; // the stepper that arrow keys go to

  const all = (root, selector) => [...root.querySelectorAll(selector)];

  /* ---- one execution */

  function setUpExecution(section) {
    const picture = section.querySelector(".picture");
    for (const box of all(section, "input[data-relation]")) {
      box.addEventListener("change", () => {
        picture.classList.toggle(`without-${box.dataset.relation}`, !box.checked);
      });
    }
    for (const box of all(section, "input[data-own]")) {
      box.addEventListener("change", () => drawOwn(section, picture));
    }
    const fit = section.querySelector(".fit input");
    if (fit) fit.addEventListener("change", () => lookAt(picture));
    lookAt(picture);
    const stepper = section.querySelector(".stepper");
    if (stepper) setUpStepper(section, picture, stepper);
    const article = section.closest(".answer");
    for (const event of all(picture, ".event")) {
      const mark = (on) => markSource(article, on ? event.dataset.label : "");
      event.addEventListener("pointerenter", () => mark(true));
      event.addEventListener("pointerleave", () => mark(false));
    }
  }

  /* Marks the piece of the source that an instruction is. */
  function markSource(article, label) {
    const wanted = (label || "").replaceAll(" ", "_");
    let first = null;
    for (const mark of all(article, "mark[data-labels]")) {
      const here = wanted !== "" && mark.dataset.labels.split(" ").includes(wanted);
      mark.classList.toggle("now", here);
      if (here && !first) first = mark;
    }
    if (first) {
      const listing = first.closest(".listing");
      const top = first.offsetTop - listing.offsetTop;
      if (top < listing.scrollTop || top > listing.scrollTop + listing.clientHeight - 24) {
        listing.scrollTop = Math.max(0, top - listing.clientHeight / 2);
      }
    }
  }

  /* Scrolls the frame of a picture to what matters in it: the event of the step, or the cycle. */
  function lookAt(picture) {
    const now = all(picture, ".event.now");
    bring(picture, now.length ? now : all(picture, ".box.bold"));
  }

  /* Scrolls the frame of a picture, and nothing else, to elements that are out of sight: to all of
     them where there is room, else to the first. */
  function bring(picture, elements) {
    if (!elements.length) return;
    const frame = picture.closest(".frame");
    const outer = frame.getBoundingClientRect();
    const rects = elements.map((element) => element.getBoundingClientRect());
    const around = (some) => ({
      left: Math.min(...some.map((rect) => rect.left)),
      right: Math.max(...some.map((rect) => rect.right)),
      top: Math.min(...some.map((rect) => rect.top)),
      bottom: Math.max(...some.map((rect) => rect.bottom)),
    });
    let inner = around(rects);
    const tooLarge =
      inner.right - inner.left > outer.width || inner.bottom - inner.top > outer.height;
    if (tooLarge) inner = around(rects.slice(0, 1));
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      frame.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
    }
  }

  function setUpStepper(section, picture, stepper) {
    const steps = all(stepper, ".step");
    const events = new Map(all(picture, ".event").map((event) => [event.dataset.key, event]));
    const edges = all(picture, ".edge");
    const buttons = Object.fromEntries(
      all(stepper, "button[data-go]").map((button) => [button.dataset.go, button]),
    );
    const keys = (step, kind) => all(step, `ul.${kind} > li`).map((item) => item.dataset.key);
    const fetchedBy = steps.map((step) => keys(step, "fetched"));
    const state = { at: -1 };

    function show(at) {
      state.at = at;
      active = go;
      accuse(picture, "");
      steps.forEach((step, number) => (step.hidden = number !== at));
      picture.classList.toggle("stepping", at >= 0);
      const done = new Set([...events.keys()].filter((key) => key.startsWith("init.")));
      const fetched = new Set();
      steps.forEach((step, number) => {
        if (number > at) return;
        for (const key of fetchedBy[number]) fetched.add(key);
        if (step.dataset.key && !step.classList.contains("refused")) done.add(step.dataset.key);
      });
      const now = at < 0 ? "" : steps[at].dataset.key;
      for (const [key, event] of events) {
        const slim = event.querySelector(".box.slim") !== null;
        const there = done.has(key) || (slim && fetched.has(key));
        event.classList.toggle("done", there);
        event.classList.toggle("fetched", !there && fetched.has(key));
        event.classList.toggle("now", key === now);
        if (there) done.add(key);
      }
      for (const edge of edges) {
        edge.classList.toggle("done", done.has(edge.dataset.from) && done.has(edge.dataset.to));
      }
      fade(picture);
      buttons.back.disabled = at < 0;
      buttons.next.disabled = at === steps.length - 1;
      buttons.whole.disabled = at < 0;
      stepper.querySelector(".at").textContent =
        at < 0 ? `${steps.length - 1} commits` : `${at} of ${steps.length - 1}`;
      lookAt(picture);
      markSource(section.closest(".answer"), at < 0 ? "" : steps[at].dataset.label);
    }

    function go(where) {
      const last = steps.length - 1;
      const to = { whole: -1, start: 0, back: state.at - 1, next: state.at + 1, end: last }[where];
      if (to !== undefined) show(Math.min(Math.max(to, -1), last));
    }

    for (const [name, button] of Object.entries(buttons)) {
      button.addEventListener("click", () => go(name));
    }
    for (const button of all(stepper, "button.show")) {
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") === "false";
        accuse(picture, on ? button.dataset.cycle : "");
        for (const each of all(stepper, "button.show")) each.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", String(on));
      });
    }
    show(-1);
  }

  /* Lays a cycle over the picture: `0.1>1.0 1.0>0.1`; empty takes it away. */
  function accuse(picture, cycle) {
    for (const old of all(picture, ".overlay")) old.remove();
    for (const event of all(picture, ".event.accused")) event.classList.remove("accused");
    if (!cycle) return;
    const found = new Map(all(picture, ".event").map((event) => [event.dataset.key, event]));
    for (const pair of cycle.split(" ")) {
      const [from, to] = pair.split(">").map((key) => found.get(key));
      for (const event of [from, to]) if (event) event.classList.add("accused");
      if (!from || !to || from === to) continue;
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", "overlay");
      path.setAttribute("d", between(...[from, to].map((e) => e.querySelector(".box").getBBox())));
      path.setAttribute("marker-end", "url(#to-overlay)");
      picture.append(path);
    }
    bring(picture, [...all(picture, ".event.now"), ...all(picture, ".event.accused")]);
  }

  /* A way from one box to another: straight, or bent at the left within a thread. */
  function between(a, b) {
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
    if (ax === bx) {
      return `M${a.x},${ay}C${a.x - 40},${ay} ${b.x - 40},${by} ${b.x},${by}`;
    }
    const edge = (box, [x, y], dx, dy) => {
      const scale = Math.min(
        dx ? box.width / 2 / Math.abs(dx) : Infinity,
        dy ? box.height / 2 / Math.abs(dy) : Infinity,
      );
      return `${x + dx * scale},${y + dy * scale}`;
    };
    return `M${edge(a, [ax, ay], bx - ax, by - ay)}L${edge(b, [bx, by], ax - bx, ay - by)}`;
  }

  /* ---- relations of the model */

  function make(kind, attributes) {
    const made = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  /* Draws those that are ticked, behind the boxes: one edge for each pair, with all their names. */
  function drawOwn(section, picture) {
    for (const old of all(picture, ".own-edge")) old.remove();
    const names = new Map();
    for (const box of all(section, "input[data-own]:checked")) {
      for (const pair of box.dataset.pairs.split(" ")) {
        names.set(pair, [...(names.get(pair) || []), box.dataset.own]);
      }
    }
    const events = all(picture, ".event");
    const boxes = new Map(
      events.map((event) => [event.dataset.key, event.querySelector(".box").getBBox()]),
    );
    const taken = [...boxes.values(), ...all(picture, ".edge .label").map((text) => text.getBBox())];
    for (const [pair, own] of names) {
      const [from, to] = pair.split(">");
      if (!boxes.has(from) || !boxes.has(to)) continue;
      const edge = { class: "own-edge marked", "data-from": from, "data-to": to };
      const [line, label] = [make("g", edge), make("g", { ...edge, class: "own-edge marked name" })];
      const d = bow(boxes.get(from), boxes.get(to));
      const path = make("path", { class: "arrow own", d, "marker-end": "url(#to-marked)" });
      line.append(path);
      events[0].before(line);
      picture.append(label);
      addName(label, own.join(" "), path, taken);
    }
    fade(picture);
  }

  /* A bow from one box to another: to the other side on the way back, so that both can be seen.
     Within a thread it runs at the left. */
  function bow(a, b) {
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [[ax, ay], [bx, by]] = [middle(a), middle(b)];
    if (Math.abs(ax - bx) < 1) {
      const out = Math.min(a.x, b.x) - 16 - Math.abs(by - ay) / 8;
      return `M${a.x},${ay}C${out},${ay} ${out},${by} ${b.x},${by}`;
    }
    const [dx, dy] = [bx - ax, by - ay];
    const far = 22 / Math.hypot(dx, dy);
    const [mx, my] = [ax + dx / 2 - dy * far, ay + dy / 2 + dx * far];
    const rim = (box, [x, y]) => {
      const scale = Math.min(
        box.width / 2 / Math.max(Math.abs(mx - x), 0.01),
        box.height / 2 / Math.max(Math.abs(my - y), 0.01),
      );
      return [x + (mx - x) * scale, y + (my - y) * scale];
    };
    return `M${rim(a, [ax, ay])}Q${mx},${my} ${rim(b, [bx, by])}`;
  }

  /* Writes a name at the edge, where nothing else is if there is such a place. */
  function addName(label, name, path, taken) {
    const [width, height, length] = [7 * name.length + 4, 13, path.getTotalLength()];
    const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((part) => {
      const { x, y } = path.getPointAtLength(length * part);
      return { x: x - width / 2, y: y - 8, width, height };
    });
    const meets = (a, b) =>
      a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
    const free = places.find((place) => !taken.some((other) => meets(place, other))) || places[0];
    taken.push(free);
    label.append(make("rect", { class: "plate", ...free }));
    label.append(make("text", { class: "label", x: free.x + width / 2, y: free.y + 10.5 }));
    label.lastChild.textContent = name;
  }

  /* While stepping, what is not committed yet is faint. */
  function fade(picture) {
    const done = new Set(all(picture, ".event.done").map((event) => event.dataset.key));
    for (const edge of all(picture, ".own-edge")) {
      edge.classList.toggle("done", done.has(edge.dataset.from) && done.has(edge.dataset.to));
    }
  }

  const WHERE = { ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end", Escape: "whole" };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !active) return;
    const target = event.target;
    if (target.closest && target.closest("input, select, textarea, .frame, .listing, .scroll")) {
      return;
    }
    const where = WHERE[event.key];
    const inside = target.closest && target.closest(".stepper");
    if (!where || (!inside && (event.key === "Home" || event.key === "End"))) return;
    active(where);
    event.preventDefault();
  });

  /* Makes the executions below `root` move; the first gets the arrow keys. */
  function setUp(root) {
    active = null;
    for (const section of all(root, ".execution").reverse()) {
      setUpExecution(section);
      const stepper = section.querySelector(".stepper");
      const own = active;
      if (stepper) stepper.addEventListener("focusin", () => (active = own));
    }
  }

  /* ---- the table of a batch */

  function setUpBatch(batch) {
    const form = batch.querySelector(".filter");
    const body = batch.querySelector("tbody");
    const texts = new Map(all(body, "tr").map((row) => [row, row.textContent.toLowerCase()]));
    const count = batch.querySelector(".count");
    const more = batch.querySelector(".more");
    let most = 300; // so many rows are shown at once: a table of thousands is slow to lay out

    function filter() {
      const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const verdict = form.elements.verdict.value;
      const unexpected = form.elements.unexpected.checked;
      let found = 0;
      for (const row of body.rows) {
        const fits =
          words.every((word) => texts.get(row).includes(word)) &&
          (!verdict || row.dataset.verdict === verdict) &&
          (!unexpected || row.dataset.unexpected !== undefined);
        found += fits;
        const shown = fits && found <= most;
        if (row.hidden === shown) row.hidden = !shown;
      }
      count.textContent = `${found} of ${body.rows.length}`;
      more.hidden = found <= most;
      more.querySelector("button").textContent = `Show all ${found}`;
    }

    more.querySelector("button").addEventListener("click", () => {
      most = Infinity;
      filter();
    });
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    const collator = new Intl.Collator("en", { numeric: true });
    const heads = all(batch, "thead th");
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const value = head.classList.contains("number")
          ? (row) => (row.cells[column].textContent === "" ? -1 : +row.cells[column].textContent)
          : (row) => row.cells[column].textContent;
        const keyed = all(body, "tr").map((row) => [value(row), row]);
        keyed.sort(([a], [b]) => (typeof a === "number" ? a - b : collator.compare(a, b)));
        if (down) keyed.reverse();
        body.append(...keyed.map(([, row]) => row));
        filter();
      });
    });
    filter();
    const opened = document.querySelector(".opened");
    let left = null; // the link that was followed

    function open() {
      const found = /^#(answer-\d+)$/.exec(location.hash);
      const template = found && document.getElementById(found[1]);
      const place = opened.querySelector(".place");
      place.replaceChildren();
      batch.hidden = Boolean(template);
      opened.hidden = !template;
      active = null;
      if (template) {
        place.append(template.content.cloneNode(true));
        setUp(place);
        left = document.querySelector(`a[href="#${found[1]}"]`);
        place.querySelector("h2").focus();
        scrollTo(0, 0);
      } else if (left) {
        left.focus();
        left = null;
      }
    }

    opened.querySelector(".close").addEventListener("click", () => {
      location.hash = "";
    });
    addEventListener("hashchange", open);
    if (location.hash) open();
  }

  const batch = document.querySelector(".batch");
  if (batch) setUpBatch(batch);
  else setUp(document);
  return { setUp };
})();
