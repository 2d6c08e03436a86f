"use strict";
/* The execution visualiser: states of the points of each Func after a number of steps, on a canvas. */
initTheme();
const LOAD = 0, STORE = 1, BEGIN = 2;
const EMPTY = 0, INPUT = 1, VALUE = 2, RECOMPUTED = 3, FREED = 4, LOADED = 5, STORED = 6;
const NAMES = ["not computed", "input", "computed", "computed again", "no longer stored", "read now", "computed now"];
const CHECKPOINT = 2000;
const canvas = document.querySelector("canvas"), slider = document.getElementById("slider");
const [width, height] = data.size;
let state, done = 0, playing = null;
const checkpoints = [];

function fresh() {
  return data.panels.map((panel, k) => ({ cells: new Uint8Array(panel.columns * panel.rows).fill(data.inputs.includes(k) ? INPUT : EMPTY), counts: new Uint16Array(panel.columns * panel.rows) }));
}

function copied(from) { return from.map((panel) => ({ cells: panel.cells.slice(), counts: panel.counts.slice() })); }

function apply(step) {
  const panel = state[step[1]];
  if (step[0] === STORE)
    for (let k = 2; k < step.length; k++) panel.cells[step[k]] = ++panel.counts[step[k]] > 1 ? RECOMPUTED : VALUE;
  else if (step[0] >= BEGIN)
    for (let k = 0; k < panel.cells.length; k++) if (panel.cells[k] === VALUE || panel.cells[k] === RECOMPUTED) panel.cells[k] = FREED;
}

function goTo(target) {
  if (target < done || state === undefined) {
    const k = Math.min(Math.floor(target / CHECKPOINT), checkpoints.length - 1);
    state = k >= 0 ? copied(checkpoints[k]) : fresh();
    done = Math.max(0, k * CHECKPOINT);
  }
  while (done < target) {
    if (done % CHECKPOINT === 0 && checkpoints.length === done / CHECKPOINT) checkpoints.push(copied(state));
    apply(data.steps[done++]);
  }
}

/* What happens now: the last store with the loads before it. */
function now() {
  let first = done - 1;
  while (first > 0 && data.steps[first - 1][0] === LOAD) first--;
  return first < 0 ? [] : data.steps.slice(first, done);
}

function draw() {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio; canvas.height = height * ratio;
  canvas.style.width = width + "px"; canvas.style.height = height + "px";
  const context = canvas.getContext("2d"), cell = data.cell, line = cell > 4 ? 1 : 0;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.strokeStyle = cssColour("--line");
  for (const [from, to] of data.edges) {
    const a = data.panels[from], b = data.panels[to];
    const x1 = a.left + a.columns * cell, y1 = a.top + (a.rows * cell) / 2, x2 = b.left, y2 = b.top + (b.rows * cell) / 2;
    context.beginPath(); context.moveTo(x1, y1); context.bezierCurveTo(x1 + 12, y1, x2 - 12, y2, x2, y2); context.stroke();
  }
  const current = now();
  data.panels.forEach((panel, k) => {
    const cells = state[k].cells.slice(), plane = panel.box[0][1] + 1;
    for (const step of current) if (step[1] === k && step[0] <= STORE) for (let i = 2; i < step.length; i++) cells[step[i]] = step[0] === LOAD ? LOADED : STORED;
    context.fillStyle = cssColour("--text");
    context.font = "600 12.5px system-ui, sans-serif";
    context.fillText(panel.name, panel.left, panel.top - 6);
    for (let i = 0; i < cells.length; i++) {
      const column = i % panel.columns, row = (i - column) / panel.columns;
      if (column % plane === plane - 1) continue;
      context.fillStyle = cells[i] === EMPTY ? cssSoft : data.colours[cells[i]];
      context.fillRect(panel.left + column * cell, panel.top + row * cell, cell - line, cell - line);
    }
  });
  slider.value = done;
  const step = data.steps[done - 1], words = ["reads", "computes", "new storage of", "end of storage of"];
  document.getElementById("moment").textContent = `${done} of ${data.steps.length}` + (step ? `: ${words[step[0]]} ${data.panels[step[1]].name}` : "");
}

let cssSoft = "";
const light = data.colours.slice(), DARK = { [INPUT]: "rgb(74 88 110)", [FREED]: "rgb(96 104 118)" };
function show(target) {
  goTo(Math.max(0, Math.min(data.steps.length, target)));
  cssSoft = cssColour("--soft");
  const isDark = document.documentElement.dataset.theme === "dark";
  data.colours = light.map((colour, k) => (isDark && DARK[k]) || colour);
  document.querySelectorAll("#legend .swatch").forEach((node, k) => { node.style.background = data.colours[k + 1]; });
  draw();
}

/* From one store to the next: loads and the store that they are for are one movement. */
function onward(from) {
  let k = from;
  while (k < data.steps.length && data.steps[k][0] === LOAD) k++;
  return Math.min(data.steps.length, k + 1);
}

function backward(from) {
  let k = from - 1;
  while (k > 0 && data.steps[k - 1][0] === LOAD) k--;
  return Math.max(0, k);
}

function play(on) {
  clearInterval(playing);
  playing = null;
  document.getElementById("play").textContent = on ? "❚❚ Pause" : "▶ Play";
  if (!on) return;
  if (done >= data.steps.length) show(0);
  const seconds = Number(document.getElementById("speed").value), jump = Math.max(1, Math.round(data.steps.length / (seconds * 25)));
  playing = setInterval(() => { show(onward(done + jump - 1)); if (done >= data.steps.length) play(false); }, 40);
}

slider.max = data.steps.length;
slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
document.getElementById("play").addEventListener("click", () => play(playing === null));
document.getElementById("back").addEventListener("click", () => { play(false); show(backward(done)); });
document.getElementById("forth").addEventListener("click", () => { play(false); show(onward(done)); });
document.getElementById("speed").addEventListener("change", () => { if (playing !== null) play(true); });
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || (event.target.tagName === "BUTTON" && event.key === " ")) return;
  const page = Math.max(1, Math.round(data.steps.length / 100));
  const actions = { " ": () => play(playing === null), ArrowRight: () => show(onward(done)), ArrowLeft: () => show(backward(done)),
    PageDown: () => show(done + page), PageUp: () => show(done - page), Home: () => show(0), End: () => show(data.steps.length) };
  if (!actions[event.key]) return;
  event.preventDefault();
  if (event.key !== " ") play(false);
  actions[event.key]();
});
document.getElementById("subtitle").textContent = `${data.steps.length} steps on one thread`;
document.getElementById("legend").append(...NAMES.slice(1).map((name, k) => element("span", {}, element("span", { class: "swatch", style: `background:${data.colours[k + 1]}` }), name)));
themeListeners.push(() => show(done));
show(Math.round(data.steps.length / 3));
