// The page of `hybrid serve`: choose, write, run, look.

import { Editor } from "/editor.js";
import { decode, encode } from "/share.js";

const MOST_FOUND = 300; // tests that are listed
const OWN = "own"; // the model is the text in its editor
const FIRST = "classic/MP.prog"; // what the page begins with
const element = (id) => document.getElementById(id);
const program = new Editor(element("program"));
const cat = new Editor(element("cat"));
const state = {
  setup: null,
  name: "", // of the bundled test that the text comes from
  original: "", // its text
  known: "", // its known answers, in words
  job: null, // the run that is shown
  busy: false,
};

// ---- choosing

function fill(select, rows, chosen) {
  select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
  if (rows.some(([value]) => value === chosen)) select.value = chosen;
}

const folderOf = (name) => name.slice(0, name.lastIndexOf("/"));
const fileOf = (name) => name.slice(name.lastIndexOf("/") + 1);
const kindOf = (name) => name.slice(name.lastIndexOf("."));

function showFolders() {
  const folders = [...new Set(state.setup.tests.map(folderOf))];
  fill(element("folder"), folders.map((name) => [name, name]));
}

function showTests(folder, chosen) {
  element("folder").value = folder;
  const tests = state.setup.tests.filter((name) => folderOf(name) === folder);
  const rows = tests.map((name) => [name, fileOf(name)]);
  fill(element("test"), [["", chosen ? "—" : "choose one …"], ...rows], chosen);
}

// The tests whose names have the words that are looked for, wherever they are.
function findTests() {
  const words = element("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) {
    showTests(element("folder").value, "");
    return;
  }
  const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
  const found = state.setup.tests.filter(fits);
  const more = found.length > MOST_FOUND ? `, the first ${MOST_FOUND}` : "";
  const rows = found.slice(0, MOST_FOUND).map((name) => [name, name]);
  fill(element("test"), [["", `${found.length} found${more} …`], ...rows], "");
}

function showOracles() {
  const engine = state.setup.engines.find((each) => each.name === element("engine").value);
  const before = element("oracle").value;
  fill(element("oracle"), [["", "its own"], ...engine.oracles.map((name) => [name, name])], before);
  element("oracle").disabled = engine.oracles.length === 0;
}

async function openTest(name) {
  const edited = state.name && program.text !== state.original;
  if (edited && !window.confirm("Replace the text that you have changed?")) {
    element("test").value = state.name;
    return;
  }
  const answer = await fetch(`/api/tests/${name.split("/").map(encodeURIComponent).join("/")}`);
  if (!answer.ok) return;
  state.name = name;
  state.original = program.text = await answer.text();
  showKnown(name);
  element("kind").value = kindOf(name);
  element("find").value = "";
  showTests(folderOf(name), name);
  showTab("program");
  clearErrors();
}

// What is known of a bundled test; of a text that was changed nothing is.
async function showKnown(name) {
  state.known = "";
  showWhetherKnown();
  if (!name) return;
  const answer = await fetch(`/api/answers/${name.split("/").map(encodeURIComponent).join("/")}`);
  if (!answer.ok || name !== state.name) return;
  const said = (await answer.json()).map(({ model, verdict, executions }) =>
    executions === null ? `${model} ${verdict}` : `${model} ${verdict} (${executions})`);
  if (said.length) state.known = `Known answers, with executions: ${said.join(", ")}`;
  showWhetherKnown();
}

function showWhetherKnown() {
  const changed = program.text !== state.original;
  element("known").hidden = !state.known || changed;
  element("known").textContent = changed ? "" : state.known;
}

async function editModel() {
  let name = element("model").value;
  if (name === OWN) {
    showTab("model");
    return;
  }
  name = name || "sc";
  if (cat.text.trim() && !window.confirm("Replace the model that you have written?")) return;
  const answer = await fetch(`/api/models/${encodeURIComponent(name)}`);
  if (!answer.ok) return;
  cat.text = await answer.text();
  element("model").value = OWN;
  showTab("model", true);
}

function showTab(name, focus = false) {
  for (const each of ["program", "model"]) {
    const chosen = each === name;
    const tab = element(`tab-${each}`);
    tab.setAttribute("aria-selected", `${chosen}`);
    tab.tabIndex = chosen ? 0 : -1;
    element(`panel-${each}`).hidden = !chosen;
  }
  element("panel-tools").hidden = name !== "program";
  if (focus) element(`tab-${name}`).focus();
}

// ---- the input as one value: what is run, and what a link holds

function input() {
  const own = element("model").value === OWN;
  const unroll = element("unroll").value;
  const name = fileOf(state.name).replace(/\.[a-z]+$/, "");
  return {
    kind: element("kind").value,
    text: program.text,
    ...(state.name ? { name, folder: folderOf(state.name) } : {}),
    ...(own ? { cat: cat.text } : { model: element("model").value }),
    engine: element("engine").value,
    oracle: element("oracle").value,
    ...(unroll === "" ? {} : { unroll: Number(unroll) }),
    outcome: element("outcome").value.trim(),
  };
}

function restore(value) {
  const text = (field) => (typeof value[field] === "string" ? value[field] : "");
  const tests = state.setup.tests;
  const name = `${text("folder")}/${text("name")}${text("kind")}`;
  state.name = tests.includes(name) ? name : "";
  state.original = program.text = text("text");
  showTests(state.name ? folderOf(name) : folderOf(tests[0]), state.name);
  pick("kind", text("kind"));
  showKnown("");
  cat.text = text("cat");
  pick("model", text("cat") ? OWN : text("model"));
  pick("engine", text("engine"));
  showOracles();
  pick("oracle", text("oracle"));
  element("unroll").value = Number.isInteger(value.unroll) ? value.unroll : "";
  element("outcome").value = text("outcome");
  showTab("program");
  clearErrors();
  clearResult("This came with the link. Nothing has been run yet.");
}

function pick(id, value) {
  const options = [...element(id).options].map((option) => option.value);
  if (options.includes(value)) element(id).value = value;
}

async function share() {
  const fragment = await encode(input());
  history.replaceState(null, "", `#${fragment}`);
  let told = "The address of this page now holds everything.";
  try {
    await navigator.clipboard.writeText(location.href);
    told = "Copied: the link holds everything.";
  } catch {
    // no clipboard here
  }
  element("shared").textContent = told;
}

async function fromLink() {
  if (location.hash.length < 2) return false;
  const value = await decode(location.hash.slice(1));
  if (value !== null && state.busy) await stop();
  if (value === null) say("The link cannot be read: a part of it may be missing.");
  else restore(value);
  return value !== null;
}

// ---- running

async function run() {
  if (state.busy) return;
  setBusy(true);
  clearErrors();
  clearResult("Starting …");
  try {
    const answer = await fetch("/api/runs", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(input()),
    });
    const told = await answer.json();
    if (!answer.ok) {
      refused(told);
      return;
    }
    state.job = told.id;
    await follow(told);
  } catch {
    say("The server does not answer. Has `hybrid serve` ended?", "No answer", "wrong");
  } finally {
    setBusy(false);
  }
}

async function follow(told) {
  const start = performance.now();
  for (let wait = 100; told.state !== "done"; wait = Math.min(wait * 1.3, 500)) {
    const seconds = Math.floor((performance.now() - start) / 1000);
    if (!element("stop").disabled)
      say(told.state === "waiting" ? `Waiting for ${runs(told.before)} …` : "Running …");
    const time = seconds ? `${seconds} s of at most ${state.setup.seconds}` : "";
    element("ticks").textContent = told.progress ? `${time}: ${told.progress}` : time;
    await new Promise((resolve) => setTimeout(resolve, wait));
    const answer = await fetch(`/api/runs/${told.id}`);
    told = await answer.json();
    if (!answer.ok) {
      refused(told);
      return;
    }
  }
  show(told);
}

const runs = (number) => (number === 1 ? "another run" : `${number} other runs`);

async function stop() {
  if (!state.job) return;
  element("stop").disabled = true;
  say("Stopping …");
  await fetch(`/api/runs/${state.job}`, { method: "DELETE" }).catch(() => {});
}

function setBusy(busy) {
  state.busy = busy;
  element("run").disabled = busy;
  element("stop").disabled = !busy;
  element("ticks").textContent = "";
  element("status").classList.toggle("busy", busy);
  element("result").setAttribute("aria-busy", `${busy}`);
}

// ---- showing

const CLASSES = {
  HOLDS: "good", ALLOWED: "good", FORBIDDEN: "good",
  VIOLATED: "wrong", ERROR: "wrong", DISAGREE: "wrong",
  BOUNDED: "open", INCONCLUSIVE: "open",
};

function say(text, verdict = "", kind = "") {
  const said = element("said");
  if (said.textContent !== text) said.textContent = text; // read aloud when it changes
  said.classList.remove("unseen");
  const badge = element("verdict");
  badge.hidden = !verdict;
  badge.textContent = verdict;
  badge.className = `verdict ${kind}`;
}

function refused(told) {
  if (told.error) show({ answer: told });
  else say(told.message, "Refused", "wrong");
}

function show(told) {
  const answer = told.answer;
  const kind = CLASSES[answer.verdict] ?? "";
  if (answer.error) {
    showError(answer.error);
    say(answer.error.message, answer.verdict, kind);
    return;
  }
  say(sentence(answer), answer.word, kind);
  element("said").classList.toggle("unseen", answer.html && !answer.partial); // the report says it
  if (answer.html) showReport(told.id);
  else if (answer.text) {
    element("text").textContent = answer.text;
    element("text").hidden = false;
  }
}

function sentence(answer) {
  const found = answer.sentence ?? "";
  return answer.partial ? `Not finished: ${answer.partial}. ${found}` : found;
}

function showReport(id) {
  const address = `/api/runs/${id}/report`;
  const frame = document.createElement("iframe");
  frame.title = "Report";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = address;
  element("frame").replaceChildren(frame);
  element("frame").hidden = false;
  element("open").href = element("save").href = address;
  element("save").download = `${fileOf(state.name) || "report"}.html`;
  element("links").hidden = false;
}

function clearResult(text) {
  say(text);
  for (const id of ["frame", "text", "links"]) element(id).hidden = true;
  element("frame").replaceChildren();
}

function clearErrors() {
  element("errors").hidden = true;
  program.mark(null);
  cat.mark(null);
}

function showError(error) {
  const box = element("errors");
  const first = document.createElement("p");
  const editor = { program, model: cat }[error.in];
  if (editor) {
    const tab = error.in;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${tab}, line ${error.line}, column ${error.column}`;
    button.addEventListener("click", () => {
      showTab(tab);
      editor.go(error);
    });
    first.append(button, " ");
    showTab(tab);
    editor.mark(error, "errors");
  }
  first.append(error.message);
  box.replaceChildren(first);
  if (error.hint) {
    const hint = document.createElement("pre");
    hint.textContent = error.hint;
    box.append(hint);
  }
  box.hidden = false;
  if (editor) editor.go(error); // now that it has the size that it will have
}

// ---- the start

function listen() {
  element("folder").addEventListener("change", () => {
    element("find").value = "";
    showTests(element("folder").value, "");
  });
  element("find").addEventListener("input", findTests);
  element("test").addEventListener("change", (event) => {
    if (event.target.value) openTest(event.target.value);
  });
  element("engine").addEventListener("change", showOracles);
  element("model").addEventListener("change", (event) => {
    if (event.target.value === OWN) showTab("model");
  });
  element("copy").addEventListener("click", editModel);
  element("run").addEventListener("click", run);
  element("stop").addEventListener("click", stop);
  element("share").addEventListener("click", share);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  for (const [name, other] of [["program", "model"], ["model", "program"]]) {
    element(`tab-${name}`).addEventListener("click", () => showTab(name));
    element(`tab-${name}`).addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") showTab(other, true);
    });
  }
  for (const editor of [program, cat])
    editor.changed = () => {
      element("shared").textContent = "";
      element("errors").hidden = true;
      showWhetherKnown();
    };
  window.addEventListener("hashchange", fromLink);
  window.addEventListener("pagehide", () => {
    if (state.busy) fetch(`/api/runs/${state.job}`, { method: "DELETE", keepalive: true });
  });
}

async function start() {
  const setup = await (await fetch("/api/setup")).json();
  state.setup = setup;
  showFolders();
  fill(element("kind"), setup.kinds.map((kind) => [kind, kind]));
  const titled = setup.models.map(({ name, title }) => [name, title ? `${name}: ${title}` : name]);
  const models = [["", "the one that suits the test"], ...titled, [OWN, "my own text"]];
  fill(element("model"), models, "");
  fill(element("engine"), setup.engines.map(({ name, title }) => [name, `${name}: ${title}`]));
  showOracles();
  const memory = `${setup.memory / 1e9} GB`;
  const compiler = setup.compiler ? "" : "; no C compiler here";
  element("limits").textContent = `a run: ${setup.seconds} s, ${memory}${compiler}`;
  listen();
  if (!(await fromLink())) await openTest(FIRST);
  document.body.dataset.ready = "true";
}

start().catch(() => say("The page could not be set up.", "No answer", "wrong"));
