// The latest values along a param: any of them as the axis, and what the others are as lines.

import { by, element, graphic } from "./dom";
import { value } from "./figures";
import { load } from "./load";
import { remember, state } from "./state";

/** A benchmark: its slug, its params' values, and the latest value of each metric in each environment. */
type Member = [slug: string, values: string[], latest: [metric: string, environment: string, value: number][]];

interface Point { at: string; value: number }

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 250, 84, 14, 14, 30];
/** What lies further apart than this, as a factor, is laid out by powers. */
const POWERS_FROM = 8;
/** The most lines that can be told apart: after these, colours and marks begin anew. */
const LINES_MAX = 8;

let family: Promise<[string[], Member[]]> | undefined;

/** Draws the relatives of a benchmark, if the page names any. */
export async function pivot(metric: string, environment: string, unit: string): Promise<void> {
  const host = by("pivot");
  if (!host) return;
  family ??= load(`data/f/${host.dataset["family"]}.js`) as Promise<[string[], Member[]]>;
  const [keys, members] = await family;
  const measured = members.filter(([, , latest]) => latest.some(([name, where]) => name === metric && where === environment));
  const varied = keys.filter((_, index) => new Set(measured.map(([, values]) => values[index]).filter((value) => value !== "")).size > 1);
  if (varied.length === 0) {
    host.replaceChildren();
    return;
  }
  const said = state().get("p");
  const key = varied.find((name) => name === said) ?? varied[0]!;
  const lines = laid(keys, members, key, metric, environment);
  const pick = element("select", { id: "along", onchange: () => {
    remember({ ...Object.fromEntries(state()), p: pick.value });
    void pivot(metric, environment, unit).then(() => by("along")?.focus());
  } }, ...varied.map((name) => element("option", { value: name }, name)));
  pick.value = key;
  const shown = [...lines].slice(0, LINES_MAX);
  const left = lines.size - shown.length;
  host.replaceChildren(
    element("div", { class: "knobs" }, element("label", {}, "Along", pick)),
    drawn(shown, key, metric, unit),
    element("p", { class: "legend" }, ...shown.map(([name], index) => element("span", { class: `line${index % 4}` }, `${MARKS[index % MARKS.length]!} ${name || metric}`)),
      ...(left > 0 ? [element("span", {}, `and ${left} more in the table`)] : [])),
    table([...lines], key, unit),
  );
}

/** Gathers points into lines: whatever but one param is equal belongs to one. */
function laid(keys: string[], members: Member[], key: string, metric: string, environment: string): Map<string, Point[]> {
  const at = keys.indexOf(key);
  const lines = new Map<string, Point[]>();
  for (const [, values, latest] of members) {
    const found = latest.find(([name, where]) => name === metric && where === environment);
    if (!found || values[at] === "") continue;
    const others = keys.flatMap((name, index) => (index === at || values[index] === "" ? [] : [`${name}=${values[index]}`]));
    const line = lines.get(others.join(", ")) ?? [];
    line.push({ at: values[at]!, value: found[2] });
    lines.set(others.join(", "), line);
  }
  return lines;
}

/** Returns where values of a param lie from 0 to 1: numbers by their size, and anything else in order. */
function places(lines: [string, Point[]][]): Map<string, number> {
  const all = [...new Set(lines.flatMap(([, points]) => points.map(({ at }) => at)))];
  const numbers = all.map(Number);
  const areNumbers = numbers.every(Number.isFinite);
  all.sort((a, b) => (areNumbers ? Number(a) - Number(b) : 0));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const byPowers = low > 0 && high / low >= POWERS_FROM;
  const size = (text: string, index: number): number => (!areNumbers ? index : byPowers ? Math.log(Number(text)) : Number(text));
  const sizes = all.map(size);
  const [first, span] = [sizes[0]!, (sizes[sizes.length - 1]! - sizes[0]!) || 1];
  return new Map(all.map((text, index) => [text, all.length === 1 ? 0.5 : (sizes[index]! - first) / span]));
}

const MARKS = ["\u25cf", "\u25b2", "\u25a0", "\u25c6", "\u25cb", "\u25b3", "\u25a1", "\u25c7"];

function drawn(lines: [string, Point[]][], key: string, metric: string, unit: string): SVGElement {
  const x = places(lines);
  const all = lines.flatMap(([, points]) => points.map((point) => point.value));
  const [bottom, most] = [Math.min(...all, 0), Math.max(...all, 0)];
  const span = most - bottom || 1;
  const left = (at: string): number => LEFT + 20 + x.get(at)! * (WIDTH - LEFT - RIGHT - 40);
  const height = (number: number): number => HEIGHT - BOTTOM - ((number - bottom) / span) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const at = bottom + share * span;
    const y = height(at).toFixed(1);
    return [
      graphic("line", { class: "grid", x1: `${LEFT}`, x2: `${WIDTH - RIGHT}`, y1: y, y2: y }),
      graphic("text", { class: "tick", x: `${LEFT - 8}`, y, dy: "0.32em", "text-anchor": "end" }, value(at, unit)),
    ];
  });
  let room = -Infinity;
  const ticks = [...x.keys()].flatMap((at) => {
    if (left(at) < room) return [];
    room = left(at) + 7 * at.length + 12;
    return [graphic("text", { class: "tick", x: left(at).toFixed(1), y: `${HEIGHT - 10}`, "text-anchor": "middle" }, at)];
  });
  const traces = lines.flatMap(([name, points], index) => {
    const sorted = [...points].sort((a, b) => x.get(a.at)! - x.get(b.at)!);
    const strokes = sorted.map(({ at, value: number }) => `${left(at).toFixed(1)} ${height(number).toFixed(1)}`);
    return [
      graphic("path", { class: `trace line${index % 4}`, d: `M${strokes.join("L")}` }),
      ...sorted.map(({ at, value: number }) => graphic("text", { class: `mark line${index % 4}`, x: left(at).toFixed(1), y: height(number).toFixed(1), dy: "0.35em", "text-anchor": "middle" },
        MARKS[index % MARKS.length]!, graphic("title", {}, `${name ? `${name}, ` : ""}${key}=${at}: ${value(number, unit)}`))),
    ];
  });
  return graphic("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${metric} along ${key}, a line for each of the other params; the table below has the numbers` }, ...grid, ...ticks, ...traces);
}

function table(lines: [string, Point[]][], key: string, unit: string): HTMLElement {
  const columns = [...places(lines).keys()];
  const head = element("tr", {}, element("th", { scope: "col" }, key), ...columns.map((at) => element("th", { scope: "col" }, at)));
  const rows = lines.map(([name, points]) => element("tr", {}, element("th", { scope: "row" }, name || "value"),
    ...columns.map((at) => {
      const found = points.find((point) => point.at === at);
      return element("td", {}, found ? value(found.value, unit) : "");
    })));
  return element("details", {}, element("summary", {}, "As a table"),
    element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Values along ${key}` },
      element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))));
}
