"use strict";
/* The schedule explorer: the pipeline as a graph, its schedules as loop nests with times, the code and the search. */
initTheme();
for (const node of data.nodes) funcColour(node.name);
const nodes = new Map(data.nodes.map((node) => [node.name, node]));
const variants = data.variants;
let shown = [0];
const CACHES = [["L1", data.machine.l1], ["L2", data.machine.l2], ["L3", data.machine.l3]];

function cacheOf(bytes) {
  const fitting = CACHES.find(([, size]) => bytes <= 0.8 * size);
  return fitting ? fitting[0] : "memory";
}

function chip(bytes, title) {
  const cache = cacheOf(bytes);
  return element("span", { class: "chip " + cache, title }, `${bytesText(bytes)} · ${cache}`);
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/* Head */

function fillHead() {
  const sizes = Object.entries(data.sizes).map(([name, extents]) => `${name} of ${extents.join(" × ")}`).join(", ");
  document.getElementById("subtitle").textContent = sizes;
  const cards = document.getElementById("cards"), machine = data.machine;
  cards.replaceChildren();
  const first = variants[shown[0]];
  cards.append(card("measured", timeText(first.seconds)), card("predicted", timeText(first.predicted)),
    card("Funcs", String(data.nodes.filter((node) => node.kind !== "image").length)),
    card("peak memory", bytesText(first.peak_bytes)), card("threads", String(machine.threads)),
    card("caches", `${bytesText(machine.l1)} · ${bytesText(machine.l2)} · ${bytesText(machine.l3)}`));
  if (variants.length > 1) {
    const choose = (place) => element("select", { "aria-label": place ? "Compare with" : "Schedule",
      onchange: (event) => { const k = Number(event.target.value); shown = place ? (k < 0 ? [shown[0]] : [shown[0], k]) : [k, ...shown.slice(1)]; refresh(); } },
      place ? element("option", { value: -1 }, "nothing") : null,
      variants.map((variant, k) => element("option", { value: k, selected: shown[place] === k }, variant.title)));
    cards.append(element("div", { class: "card" }, element("div", { class: "label" }, "schedule"), choose(0)),
      element("div", { class: "card" }, element("div", { class: "label" }, "compare with"), choose(1)));
  }
}

/* The graph: columns by the longest path from an input, rows by the mean place of the neighbours. */

const BOX = { width: 138, height: 38, gapX: 46, gapY: 12 };

function layout() {
  const column = new Map(), producers = new Map(data.nodes.map((node) => [node.name, []]));
  for (const [producer, consumer] of data.edges) producers.get(consumer).push(producer);
  const depth = (name) => {
    if (!column.has(name)) {
      column.set(name, 0);
      column.set(name, Math.max(0, ...producers.get(name).map((producer) => depth(producer) + 1)));
    }
    return column.get(name);
  };
  data.nodes.forEach((node) => depth(node.name));
  const columns = [];
  for (const node of data.nodes) (columns[column.get(node.name)] ??= []).push(node.name);
  const row = new Map();
  columns.forEach((names) => names.forEach((name, k) => row.set(name, k)));
  for (let round = 0; round < 6; round++)
    for (const names of columns) {
      const mean = (name) => {
        const near = data.edges.filter((edge) => edge.includes(name)).map((edge) => row.get(edge[0] === name ? edge[1] : edge[0]));
        return near.length ? near.reduce((a, b) => a + b, 0) / near.length : row.get(name);
      };
      const wanted = new Map(names.map((name) => [name, mean(name)]));
      names.sort((a, b) => wanted.get(a) - wanted.get(b));
      names.forEach((name, k) => row.set(name, k));
    }
  const most = Math.max(...columns.map((names) => names.length));
  const places = new Map();
  columns.forEach((names, c) => names.forEach((name, k) => places.set(name, {
    x: 10 + c * (BOX.width + BOX.gapX), y: 10 + (k + (most - names.length) / 2) * (BOX.height + BOX.gapY) })));
  return { places, width: columns.length * (BOX.width + BOX.gapX), height: most * (BOX.height + BOX.gapY) + 20 };
}

function shortened(text, length) { return text.length > length ? text.slice(0, length - 1) + "…" : text; }

function drawGraph() {
  const { places, width, height } = layout(), times = variants[shown[0]].funcs;
  const total = Object.values(times).reduce((sum, func) => sum + (func.seconds || 0), 0) || 1;
  const picture = drawing("svg", { width, height, role: "group", "aria-label": "Graph of the pipeline" });
  for (const [producer, consumer] of data.edges) {
    const a = places.get(producer), b = places.get(consumer);
    const x1 = a.x + BOX.width, y1 = a.y + BOX.height / 2, x2 = b.x, y2 = b.y + BOX.height / 2, bend = Math.max(20, (x2 - x1) / 2);
    picture.append(drawing("path", { class: "edge", "data-edge": `${producer} ${consumer}`, d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}` }));
  }
  for (const node of data.nodes) {
    const place = places.get(node.name), share = ((times[node.name] || {}).seconds || 0) / total;
    const region = node.region.replace(/ from -?\d+/g, "").replaceAll(" × ", "×");
    const text = [shortened(node.name, 19), share > 0.0005 ? `${percentText(share)} · ${region}` : region];
    const kind = node.kind === "image" ? "image" : times[node.name]?.inlined ? "inlined" : "";
    picture.append(drawing("g", { class: `node ${kind}`, "data-func": node.name, role: "button", "aria-label": node.name, ...activate(() => selectFunc(node.name)) },
      drawing("title", {}, `${node.name}: ${node.region}`),
      drawing("rect", { class: "box", x: place.x, y: place.y, width: BOX.width, height: BOX.height, rx: 7 }),
      drawing("rect", { x: place.x + 1, y: place.y + BOX.height - 4, width: Math.max(0, (BOX.width - 2) * share), height: 3, style: `fill:${funcColour(node.name)};stroke:none` }),
      drawing("text", { x: place.x + 9, y: place.y + 15 }, text[0]), drawing("text", { class: "small", x: place.x + 9, y: place.y + 29 }, shortened(text[1], 24))));
  }
  document.querySelector("#dag .body").replaceChildren(picture);
}

/* Loop nests */

const KEYWORDS = { serial: "for", for: "for", parallel: "parallel", vectorized: "vectorized", unrolled: "unrolled" };

function treeRows(variant, number) {
  const rows = [], total = variant.seconds || variant.predicted || 1;
  const seen = new Set();
  const visit = (node, depth, parent) => {
    let row = null;
    if (node.kind === "produce") {
      const func = variant.funcs[node.func] || {}, first = !seen.has(node.func);
      seen.add(node.func);
      const time = func.seconds ?? null;
      row = [element("span", {}, swatch(node.func), element("b", {}, node.func)), element("span", { class: "grow" }),
        first && func.recomputation > 1.005 ? element("span", { class: "chip" }, `computed ${func.recomputation.toFixed(2)} ×`) : null,
        first ? element("span", { class: "number", title: "measured, predicted" }, `${timeText(time)} / ${timeText(func.predicted ?? null)}`) : null,
        first ? bar((time ?? func.predicted ?? 0) / total) : null];
    } else if (node.kind === "loop") {
      row = [element("span", {}, element("span", { class: "keyword" }, KEYWORDS[node.loop] || node.loop), " " + node.name),
        element("span", { class: "number" }, (node.at_most ? "× ≤ " : "× ") + (Number.isInteger(node.trips) ? node.trips : node.trips.toFixed(1))), element("span", { class: "grow" }),
        node.working_set && node.loop !== "vectorized" && node.loop !== "unrolled" ? chip(node.working_set, "accessed in one iteration") : null];
    } else if (node.kind === "store" && node.bytes) {
      row = [element("span", {}, element("span", { class: "keyword" }, "store "), node.func), element("span", { class: "grow" }), chip(node.bytes, `memory of ${node.func}, each time`)];
    }
    let line = null;
    if (row) {
      line = { depth, parent, node, children: 0, open: true, number };
      line.twist = element("span", { class: "twist", "aria-hidden": "true" });
      line.view = element("div", { class: "row", role: "treeitem", "aria-level": depth + 1, "data-func": node.func, "data-text": `${node.name} ${node.loop || ""}`, style: `padding-left:${12 + depth * 16}px` }, line.twist, row);
      line.twist.addEventListener("click", (event) => { event.stopPropagation(); fold(line, !line.open); });
      line.view.addEventListener("click", () => { setCurrent(line); selectFunc(node.func); });
      rows.push(line);
      if (parent) parent.children++;
    }
    /* Storage encloses most of a pipeline: it does not indent. */
    for (const child of node.children) visit(child, row && node.kind !== "store" ? depth + 1 : depth, line || parent);
  };
  visit(variant.loops, 0, null);
  return rows;
}

const trees = [];
let current = null;

function setCurrent(line) {
  current?.view.classList.remove("current");
  current = line;
  line.view.classList.add("current");
  line.view.scrollIntoView({ block: "nearest" });
}

function isVisible(line) {
  for (let up = line.parent; up; up = up.parent) if (!up.open) return false;
  return true;
}

function fold(line, open) {
  line.open = open;
  for (const other of trees[line.number]) other.view.style.display = isVisible(other) ? "" : "none";
  showTwists(trees[line.number]);
}

function showTwists(rows) {
  for (const line of rows) {
    line.twist.textContent = line.children ? (line.open ? "▾" : "▸") : "";
    if (line.children) line.view.setAttribute("aria-expanded", String(line.open));
  }
}

function drawTrees() {
  const place = document.getElementById("trees");
  place.classList.toggle("both", shown.length > 1);
  place.replaceChildren();
  trees.length = 0;
  shown.forEach((k, number) => {
    const variant = variants[k], rows = treeRows(variant, number);
    trees.push(rows);
    const body = element("div", { class: "body", role: "tree", tabindex: 0, "aria-label": "Loop nest: " + variant.title, onkeydown: (event) => treeKey(event, number) }, rows.map((line) => line.view));
    const all = (open) => { rows.forEach((line) => { line.open = open || line.depth === 0; }); rows.forEach((line) => { line.view.style.display = isVisible(line) ? "" : "none"; }); showTwists(rows); };
    place.append(element("section", { class: "panel tree" }, element("h2", {}, "Loop nest: " + variant.title,
      element("span", { class: "hint" }, `measured ${timeText(variant.seconds)}, predicted ${timeText(variant.predicted)}`), element("span", { class: "space", style: "flex:1" }),
      element("button", { onclick: () => all(false) }, "Fold"), element("button", { onclick: () => all(true) }, "Unfold")), body));
    showTwists(rows);
  });
}

function treeKey(event, number) {
  const rows = trees[number].filter(isVisible), at = rows.indexOf(current);
  const actions = {
    ArrowDown: () => setCurrent(rows[Math.min(rows.length - 1, at + 1)]), ArrowUp: () => setCurrent(rows[Math.max(0, at - 1)]),
    Home: () => setCurrent(rows[0]), End: () => setCurrent(rows[rows.length - 1]),
    ArrowLeft: () => { if (at < 0) return; if (current.open && current.children) fold(current, false); else if (current.parent) setCurrent(current.parent); },
    ArrowRight: () => { if (at >= 0 && current.children) fold(current, true); },
    Enter: () => { if (at >= 0) selectFunc(current.node.func); }, " ": () => { if (at >= 0 && current.children) fold(current, !current.open); } };
  if (!actions[event.key] || !rows.length) return;
  event.preventDefault();
  actions[event.key]();
}

/* The selected Func */

function showDetails(name) {
  const body = document.querySelector("#details .body");
  document.querySelector("#details h2").textContent = name ? "Selected: " + name : "Selected";
  if (!name || !nodes.has(name)) {
    body.replaceChildren(element("p", { class: "muted" }, "Select a Func in the graph, the loop nest or the code: it is marked everywhere."),
      ...(data.findings.length ? [element("b", {}, "What a diagnosis found"), ...data.findings.map(findingView)] : []));
    return;
  }
  const node = nodes.get(name), lines = [["region needed", node.region], ["type", node.type]];
  if (node.location) lines.push(["defined", node.location]);
  const names = shown.map((k) => variants[k].title);
  shown.forEach((k, number) => {
    const func = variants[k].funcs[name], label = (text) => (shown.length > 1 ? `${names[number]}: ${text}` : text);
    if (!func) return;
    lines.push([label("measured"), timeText(func.seconds ?? null)], [label("predicted"), timeText(func.predicted ?? null)],
      [label("computed"), func.inlined ? "at each use (inlined)" : func.level], [label("each value"), `${(func.recomputation || 1).toFixed(2)} times`]);
    if (func.bytes) lines.push([label("storage"), element("span", {}, `${func.store} `, chip(func.bytes, "each time"), func.folded ? " folded" : "")]);
    if (func.lanes > 1) lines.push([label("vectors"), `${func.lanes} lanes`]);
  });
  const about = data.findings.filter((finding) => finding.func === name);
  body.replaceChildren(element("dl", {}, lines.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])),
    node.formula ? element("pre", { class: "formula" }, node.formula) : "", ...about.map(findingView));
}

function findingView(finding) {
  return element("div", { class: "finding" }, element("div", {}, `${percentText(finding.share)}  ${finding.text}`), element("pre", {}, finding.mend));
}

/* Code, schedules, search */

const TABS = [["Schedule", scheduleView], ["Lowered code", (k) => codeView(k, "lowered")], ["Assembly", (k) => codeView(k, "assembly")], ["Search", searchView]];
let tab = 0;

function drawTabs() {
  const list = document.querySelector("#code .tabs");
  list.replaceChildren(...TABS.map(([name], k) => element("button", { role: "tab", "aria-selected": String(k === tab), onclick: () => { tab = k; drawTabs(); } }, name)));
  showTab();
}

let drawn = 0;
async function showTab() {
  const body = document.querySelector("#code .body"), turn = ++drawn;
  const views = await Promise.all((tab === 3 ? [0] : shown).map((k) => TABS[tab][1](k)));
  if (turn !== drawn) return;
  body.replaceChildren(views.length > 1 ? element("div", { class: "split" }, views) : views[0]);
  mark();
}

function scheduleView(k) {
  const variant = variants[k];
  const lines = variant.python.split("\n").map((line) => element("span", { "data-func": line.split(".")[0] }, line + "\n"));
  return element("div", {}, element("p", { class: "muted" }, variant.title), element("pre", {}, lines));
}

const codes = new Map();
async function codeView(k, kind) {
  const packed = variants[k][kind];
  if (!packed) return element("p", { class: "muted" }, `${variants[k].title}: there is no ${kind} code in this page.`);
  const key = `${k} ${kind}`;
  if (!codes.has(key)) codes.set(key, await unpacked(packed.text));
  const lines = codes.get(key).split("\n");
  let start = 0;
  const parts = packed.runs.map(([count, func]) => {
    const text = lines.slice(start, start + count).join("\n") + "\n";
    start += count;
    return element("span", func ? { "data-func": func, ...activate(() => selectFunc(func)), tabindex: null } : {}, text);
  });
  const note = packed.left_out ? `${packed.left_out} more lines are left out.` : "";
  return element("div", {}, element("p", { class: "muted" }, `${variants[k].title}: ${lines.length} lines. ${note}`), element("pre", {}, parts));
}

function searchView() {
  const search = data.search;
  if (!search) return element("p", { class: "muted" }, "This schedule was not found by a search: call explore() of the result of autoschedule() to see its history here.");
  const rows = search.candidates.map((candidate) => element("tr", {}, element("td", {}, candidate.title), element("td", {}, timeText(candidate.predicted)),
    element("td", {}, timeText(candidate.measured)), element("td", {}, candidate.change)));
  return element("div", {}, element("p", {}, `${search.states} states evaluated, ${search.trials} measured in ${timeText(search.seconds)}. ${search.note}`), curve(search),
    element("table", {}, element("thead", {}, element("tr", {}, ["schedule", "predicted", "measured", "against the best"].map((name) => element("th", {}, name)))), element("tbody", {}, rows)),
    element("details", {}, element("summary", {}, "Why the best one is expected to be fast"), element("pre", {}, search.explanation)));
}

function curve(search) {
  const series = [["predicted", search.history], ["measured", search.measured_history]].filter(([, points]) => points.length);
  const all = series.flatMap(([, points]) => points);
  if (!all.length) return "";
  const width = 640, height = 190, left = 60, end = Math.max(search.seconds, ...all.map(([time]) => time));
  const logs = all.map(([, ms]) => Math.log10(ms)), low = Math.min(...logs) - 0.05, high = Math.max(...logs) + 0.05;
  const x = (time) => left + (width - left - 20) * (time / end), y = (ms) => 12 + (height - 40) * (1 - (Math.log10(ms) - low) / (high - low));
  const picture = drawing("svg", { width, height, role: "img", "aria-label": "Best time against seconds of search" });
  for (const ms of [10 ** low, 10 ** ((low + high) / 2), 10 ** high])
    picture.append(drawing("line", { x1: left, x2: width - 20, y1: y(ms), y2: y(ms), stroke: "var(--line)" }), drawing("text", { x: left - 6, y: y(ms) + 4, "text-anchor": "end", "font-size": 11, fill: "var(--muted)" }, timeText(ms / 1e3)));
  series.forEach(([name, points], k) => {
    let path = "";
    points.forEach(([time, ms], i) => { path += i ? `H${x(time)}V${y(ms)}` : `M${x(time)},${y(ms)}`; });
    const colour = k ? "var(--good)" : "var(--accent)";
    picture.append(drawing("path", { d: `${path}H${x(end)}`, fill: "none", stroke: colour, "stroke-width": 2 }), drawing("text", { x: width - 100, y: 24 + 16 * k, fill: colour, "font-size": 12 }, name));
  });
  picture.append(drawing("text", { x: width - 20, y: height - 8, "text-anchor": "end", "font-size": 11, fill: "var(--muted)" }, `${timeText(end)} of search`));
  return picture;
}

/* Selection and search */

function mark() {
  for (const node of document.querySelectorAll("[data-func]")) node.classList.toggle("selected", selectedFunc !== null && node.dataset.func === selectedFunc);
  for (const edge of document.querySelectorAll(".edge")) edge.classList.toggle("near", selectedFunc !== null && edge.dataset.edge.split(" ").includes(selectedFunc));
}

selectionListeners.push((name) => {
  mark();
  showDetails(name);
  if (!name) return;
  document.querySelector(`#dag [data-func="${CSS.escape(name)}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  document.querySelector(`#code pre [data-func="${CSS.escape(name)}"]`)?.scrollIntoView({ block: "nearest" });
});

let matches = [], place = -1;
function search(text) {
  for (const node of document.querySelectorAll(".match")) node.classList.remove("match");
  const wanted = text.trim().toLowerCase();
  matches = [];
  place = -1;
  if (wanted) {
    for (const node of document.querySelectorAll("#dag .node")) if (node.dataset.func.toLowerCase().includes(wanted)) matches.push(node);
    for (const rows of trees) for (const line of rows) if (line.view.dataset.text.toLowerCase().includes(wanted)) matches.push(line.view);
    for (const node of document.querySelectorAll("#code pre span")) if (node.textContent.toLowerCase().includes(wanted)) matches.push(node);
    for (const node of matches) node.classList.add("match");
  }
  document.getElementById("matches").textContent = wanted ? `${matches.length} matches` : "";
}

function nextMatch() {
  if (!matches.length) return;
  place = (place + 1) % matches.length;
  const node = matches[place];
  for (const rows of trees) for (const line of rows) if (line.view === node) for (let up = line.parent; up; up = up.parent) if (!up.open) fold(up, true);
  node.scrollIntoView({ block: "center", inline: "center" });
  if (node.dataset.func) selectFunc(node.dataset.func, { keep: true });
}

function refresh() {
  fillHead();
  drawGraph();
  drawTrees();
  drawTabs();
  mark();
  showDetails(selectedFunc);
}

const field = document.getElementById("search");
field.addEventListener("input", () => search(field.value));
field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); nextMatch(); } });
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  if (event.key === "Escape") { field.value = ""; search(""); field.blur(); if (selectedFunc) selectFunc(selectedFunc); }
});
themeListeners.push(refresh);
refresh();
