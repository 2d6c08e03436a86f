"use strict";
/* The page of a profile: cards, the table of Funcs nested as their loops are, and the timeline of the threads. */
initTheme();
const byName = new Map(data.funcs.map((func) => [func.name, func]));
for (const func of data.funcs) funcColour(func.name);

function fillHead() {
  const sizes = Object.entries(data.sizes).map(([name, extents]) => `${name} of ${extents.join(" × ")}`).join(", ");
  document.getElementById("subtitle").textContent = sizes;
  document.getElementById("cards").append(
    card("fastest run", timeText(data.seconds)), card("average of " + data.runs, timeText(data.mean_seconds)),
    card("threads", String(data.threads)), card("idle", percentText(data.idle)),
    card("peak memory", bytesText(data.peak_bytes)), card("through memory", bytesText(data.memory_bytes)),
    card("share of bandwidth", percentText(data.bandwidth)), card("samples", String(data.samples)));
}

function fillTable() {
  const names = ["Func", "time", "share", "threads", "computed", "loads", "stores", "through memory", "bandwidth", "peak memory"];
  const rows = [], shown = new Set();
  const add = (name, depth) => {
    const func = byName.get(name);
    if (!func || shown.has(name)) return;
    shown.add(name);
    rows.push(element("tr", { "data-func": name, ...activate(() => selectFunc(name)) },
      element("td", { style: `padding-left:${8 + 18 * depth}px` }, swatch(name), name),
      element("td", {}, timeText(func.seconds)), element("td", {}, percentText(func.share), bar(func.share)),
      element("td", {}, func.threads.toFixed(2)), element("td", {}, func.recomputation ? func.recomputation.toFixed(2) + " ×" : "–"),
      element("td", {}, bytesText(func.read)), element("td", {}, bytesText(func.written)), element("td", {}, bytesText(func.memory_bytes)),
      element("td", {}, percentText(func.bandwidth)), element("td", {}, bytesText(func.peak_bytes))));
  };
  const visit = (node, depth) => {
    const own = node.kind === "produce" && !shown.has(node.func);
    if (own) add(node.func, depth);
    for (const child of node.children) visit(child, own ? depth + 1 : depth);
  };
  visit(data.loops, 0);
  for (const func of data.funcs) add(func.name, 0);
  document.getElementById("funcs").append(
    element("thead", {}, element("tr", {}, names.map((name) => element("th", {}, name)))), element("tbody", {}, rows));
}

const LINE = 19, GAP = 16;
const frames = data.timeline.shared.frames.map((frame) => frame.name);
const threads = data.timeline.profiles.map((profile) => {
  let start = 0;
  const depth = Math.max(1, ...profile.samples.map((stack) => stack.length));
  const parts = profile.samples.map((stack, k) => {
    const part = { start, end: start + profile.weights[k], stack: stack.map((frame) => frames[frame]) };
    start = part.end;
    return part;
  });
  return { name: profile.name, depth, parts, end: start };
});
const whole = Math.max(1e-9, ...threads.map((thread) => thread.end));
const view = { start: 0, end: whole };

function drawTimeline() {
  const canvas = document.querySelector("#timeline canvas");
  const height = threads.reduce((sum, thread) => sum + thread.depth * LINE + GAP + 4, 10);
  const [context, width] = fillWidth(canvas, height);
  const scale = width / (view.end - view.start), text = cssColour("--text"), muted = cssColour("--muted");
  context.font = "12px system-ui, sans-serif";
  let top = 0;
  for (const thread of threads) {
    context.fillStyle = muted;
    context.fillText(thread.name, 2, top + 11);
    top += GAP;
    for (const part of thread.parts) {
      if (part.end < view.start || part.start > view.end) continue;
      const left = (part.start - view.start) * scale, right = (part.end - view.start) * scale;
      part.stack.forEach((name, depth) => {
        context.globalAlpha = selectedFunc === null || selectedFunc === name ? 1 : 0.3;
        context.fillStyle = funcColour(name);
        context.fillRect(left, top + depth * LINE, Math.max(0.5, right - left), LINE - 1);
        context.globalAlpha = 1;
        if (right - left > 8 + 7 * name.length) {
          context.fillStyle = text;
          context.fillText(name, Math.max(left, 0) + 4, top + depth * LINE + 13);
        }
      });
    }
    top += thread.depth * LINE + 4;
  }
  document.getElementById("hint").textContent =
    `${timeText(view.start)} to ${timeText(view.end)} of ${timeText(whole)} sampled; wheel or + and − zoom, drag or arrows move, 0 shows all`;
}

function zoom(factor, at) {
  const middle = view.start + (view.end - view.start) * at;
  const length = Math.min(whole, Math.max(whole / 5000, (view.end - view.start) * factor));
  view.start = Math.max(0, Math.min(whole - length, middle - length * at));
  view.end = view.start + length;
  drawTimeline();
}

function move(share) {
  const length = view.end - view.start;
  view.start = Math.max(0, Math.min(whole - length, view.start + share * length));
  view.end = view.start + length;
  drawTimeline();
}

function listen() {
  const canvas = document.querySelector("#timeline canvas");
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, event.offsetX / canvas.clientWidth); }, { passive: false });
  canvas.addEventListener("dblclick", () => zoom(1e9, 0.5));
  let last = null;
  canvas.addEventListener("pointerdown", (event) => { last = event.clientX; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (last === null) return;
    move((last - event.clientX) / canvas.clientWidth);
    last = event.clientX;
  });
  canvas.addEventListener("pointerup", () => { last = null; });
  canvas.addEventListener("keydown", (event) => {
    const action = { "+": () => zoom(0.7, 0.5), "=": () => zoom(0.7, 0.5), "-": () => zoom(1.4, 0.5), "0": () => zoom(1e9, 0.5), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2) }[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  window.addEventListener("resize", drawTimeline);
  themeListeners.push(() => { for (const node of document.querySelectorAll("tr[data-func] .swatch")) node.style.background = funcColour(node.closest("[data-func]").dataset.func); drawTimeline(); });
  selectionListeners.push(drawTimeline);
}

fillHead();
fillTable();
listen();
drawTimeline();
