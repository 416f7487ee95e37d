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

  /* Scrolls a frame, and nothing else, to an event that is out of sight. */
  function bring(frame, event) {
    const [outer, inner] = [frame.getBoundingClientRect(), event.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    }
    if (inner.left < outer.left || inner.right > outer.right) {
      frame.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
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
      buttons.back.disabled = at < 0;
      buttons.next.disabled = at === steps.length - 1;
      buttons.whole.disabled = at < 0;
      stepper.querySelector(".at").textContent =
        at < 0 ? `${steps.length - 1} commits` : `${at} of ${steps.length - 1}`;
      if (events.has(now)) bring(section.querySelector(".frame"), events.get(now));
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
