// Makes elements. Whatever is text stays text: nothing here takes markup.

type Attributes = Record<string, string | boolean | EventListener>;

/** Makes an element with attributes, listeners (`onclick`) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Returns an element that the page has. */
export function by<T extends HTMLElement>(id: string): T | null {
  return document.getElementById(id) as T | null;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element of a drawing. */
export function graphic(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Draws a small line from its heights: letters from `A`, blanks where nothing was measured. */
export function spark(heights: string): SVGElement {
  const points = [...heights].flatMap((letter, index) => {
    if (letter === " ") return [];
    const x = 3 + (154 * index) / Math.max(1, heights.length - 1);
    return [`${x.toFixed(1)} ${(33 - (letter.charCodeAt(0) - 65)).toFixed(1)}`];
  });
  const path = graphic("path", { class: "trace", d: points.length ? `M${points.join("L")}` : "" });
  return graphic("svg", { class: "spark", viewBox: "0 0 160 36", "aria-hidden": "true" }, path);
}
