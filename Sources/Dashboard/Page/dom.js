/** Makes and finds DOM nodes. What comes from outside enters as text, never as markup. */

/**
 * A new element; attributes that are `null`, `undefined` or `false` are left out, `on…` ones are listeners.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child || child === ""));
  return node;
}

/** An element of SVG, with attributes and children. */
export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** A symbol of index.html, hidden from screen readers: what it says stands beside it. */
export function icon(name, className = "icon") {
  return draw("svg", { class: className, "aria-hidden": "true" }, draw("use", { href: `#i-${name}` }));
}

/** The badge of a state, a cut of badges.svg; what it says stands beside it. */
export function badge(state) {
  return make("span", { class: `badge ${state}`, "aria-hidden": "true" });
}

/** What to do next; no option of a command in it is broken over two lines. */
export function nextStep(sentence) {
  const parts = sentence.split(/(--[\w-]+)/);
  return make("p", { class: "next" }, ...parts.map((part, at) => (at % 2 ? make("span", {}, part) : part)));
}

/** A push button with an icon, words, or both; without words it needs a `label`. */
export function button({ type = "button", icon: name, words, label, title, className = "", onclick, ...rest }) {
  return make(
    "button",
    { type, class: className, "aria-label": label, title: title ?? label, onclick, ...rest },
    name && icon(name),
    words && make("span", {}, words),
  );
}

export function find(id) {
  return document.getElementById(id);
}

/** Gives `action` at most once in each span of `milliseconds`, the last call included. */
export function spaced(milliseconds, action) {
  let timer = 0;
  let last = -Infinity;
  return () => {
    if (timer) return;
    const run = () => {
      timer = 0;
      last = performance.now();
      action();
    };
    timer = setTimeout(run, Math.max(0, last + milliseconds - performance.now()));
  };
}
