"use strict";
/* Helpers of all pages: elements, numbers, colours of Funcs, the theme, and the selected Func. */
const data = JSON.parse(document.getElementById("data").textContent);

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function drawing(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.flat());
  return node;
}

function significant(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function timeText(seconds) {
  if (seconds === 0) return "0";
  if (seconds === null || seconds === undefined) return "–";
  if (seconds >= 1) return significant(seconds) + " s";
  if (seconds >= 1e-3) return significant(seconds * 1e3) + " ms";
  return significant(seconds * 1e6) + " µs";
}

function bytesText(count) {
  if (!count) return count === 0 ? "0" : "–";
  for (const [unit, size] of [["GB", 2 ** 30], ["MB", 2 ** 20], ["KB", 2 ** 10]])
    if (count >= size) return significant(count / size) + " " + unit;
  return Math.round(count) + " B";
}

function percentText(share) {
  return (100 * share).toFixed(share < 0.0995 ? 1 : 0) + " %";
}

function countText(count) {
  if (count >= 1e9) return significant(count / 1e9) + " G";
  if (count >= 1e6) return significant(count / 1e6) + " M";
  if (count >= 1e4) return significant(count / 1e3) + " k";
  return String(Math.round(count));
}

/* The colours of Funcs: hues far apart in the order of the pipeline. */
const funcNumbers = new Map();
function funcColour(name, light) {
  if (!funcNumbers.has(name)) funcNumbers.set(name, funcNumbers.size);
  const hue = (funcNumbers.get(name) * 137.508 + 210) % 360;
  const dark = document.documentElement.dataset.theme === "dark";
  return `hsl(${hue.toFixed(0)} ${dark ? 45 : 58}% ${light ?? (dark ? 52 : 58)}%)`;
}

function swatch(name) {
  return element("span", { class: "swatch", style: `background:${funcColour(name)}` });
}

/* The theme: that of the system until the button is pressed. */
const themeListeners = [];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const listener of themeListeners) listener();
}
function initTheme() {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(query.matches ? "dark" : "light");
  query.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
  const button = document.getElementById("theme");
  if (button)
    button.addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
}

/* The selected Func is marked wherever it is mentioned: all elements with its name in `data-func`. */
let selectedFunc = null;
const selectionListeners = [];
function selectFunc(name, source) {
  selectedFunc = name === selectedFunc && !source?.keep ? null : name;
  for (const node of document.querySelectorAll("[data-func]"))
    node.classList.toggle("selected", selectedFunc !== null && node.dataset.func === selectedFunc);
  for (const listener of selectionListeners) listener(selectedFunc, source);
}

function activate(handler) {
  /* Clicks, and Enter and space on elements that the keyboard can reach. */
  return {
    tabindex: 0,
    onclick: (event) => { event.stopPropagation(); handler(event); },
    onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); handler(event); }
    },
  };
}

function bar(share) {
  return element("span", { class: "bar" }, element("i", { style: `width:${Math.min(100, 100 * share).toFixed(1)}%` }));
}

function card(label, value) {
  return element("div", { class: "card" }, element("div", { class: "label" }, label), element("div", { class: "value" }, value));
}

function fillWidth(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth;
  canvas.width = width * ratio; canvas.height = height * ratio;
  canvas.style.width = width + "px"; canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width];
}

function cssColour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
