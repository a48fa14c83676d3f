// The latest values along a param: any of them as the axis, and what the others are as lines.

import { by, element, graphic } from "./dom";
import { value } from "./figures";
import { load } from "./load";
import { remember, state } from "./state";

/** A benchmark: its slug, and the latest value of each metric in each environment. */
type Member = [slug: string, latest: [metric: string, environment: string, value: number][]];

/** The benchmarks laid out with the values of a param across: a name for each row, and then by turns a column and which benchmark
 * stands in it. How they are laid out is said by Rust, for these pages as for comments and tables. */
type Along = [key: string, columns: string[], rows: [name: string, cells: number[]][]];

interface Point { at: string; value: number }
type Line = [name: string, points: Point[]];
interface Laid { key: string; columns: string[]; lines: Line[] }

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 250, 84, 14, 14, 30];
/** What lies further apart than this, as a factor, is laid out by powers. */
const POWERS_FROM = 8;
/** The most lines that can be told apart: after these, colours and marks begin anew. */
const LINES_MAX = 8;

let family: Promise<[Member[], Along[]]> | undefined;

/** Draws the relatives of a benchmark, if the page names any. */
export async function pivot(metric: string, environment: string, unit: string): Promise<void> {
  const host = by("pivot");
  if (!host) return;
  family ??= load(`data/f/${host.dataset["family"]}.js`) as Promise<[Member[], Along[]]>;
  const [members, all] = await family;
  const measured = all.map((along): Laid => laid(members, along, metric, environment));
  const varied = measured.filter(({ columns }) => columns.length > 1);
  if (varied.length === 0) {
    host.replaceChildren();
    return;
  }
  const said = state().get("p");
  const found = varied.find((one) => one.key === said) ?? varied[0]!;
  const { key, columns, lines } = found;
  const pick = element("select", { id: "along", onchange: () => {
    remember({ ...Object.fromEntries(state()), p: pick.value });
    void pivot(metric, environment, unit).then(() => by("along")?.focus());
  } }, ...varied.map((one) => element("option", { value: one.key }, one.key)));
  pick.value = key;
  const shown = lines.slice(0, LINES_MAX);
  const left = lines.length - shown.length;
  host.replaceChildren(
    element("div", { class: "knobs" }, element("label", {}, "Along", pick)),
    drawn(shown, columns, key, metric, unit),
    element("p", { class: "legend" }, ...shown.map(([name], index) => element("span", { class: `line${index % 4}` }, `${MARKS[index % MARKS.length]!} ${name || metric}`)),
      ...(left > 0 ? [element("span", {}, `and ${left} more in the table`)] : [])),
    table(found, unit),
  );
}

/** Returns the rows in which the metric was measured, as lines, and the columns that have one of their points. */
function laid(members: Member[], [key, all, rows]: Along, metric: string, environment: string): Laid {
  const measured = rows.map(([name, cells]): Line => {
    const points: Point[] = [];
    for (let index = 0; index < cells.length; index += 2) {
      const found = members[cells[index + 1]!]![1].find(([metricOf, where]) => metricOf === metric && where === environment);
      if (found) points.push({ at: all[cells[index]!]!, value: found[2] });
    }
    return [name, points];
  });
  const lines = measured.filter(([, points]) => points.length > 0);
  const known = new Set(lines.flatMap(([, points]) => points.map(({ at }) => at)));
  return { key, columns: all.filter((at) => known.has(at)), lines };
}

/** Returns where values of a param lie from 0 to 1: numbers by their size, and anything else in order. */
function places(columns: string[]): Map<string, number> {
  const numbers = columns.map(Number);
  const areNumbers = numbers.every(Number.isFinite);
  const all = areNumbers ? [...columns].sort((a, b) => Number(a) - Number(b)) : columns;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const byPowers = low > 0 && high / low >= POWERS_FROM;
  const size = (text: string, index: number): number => (!areNumbers ? index : byPowers ? Math.log(Number(text)) : Number(text));
  const sizes = all.map(size);
  const [first, span] = [sizes[0]!, (sizes[sizes.length - 1]! - sizes[0]!) || 1];
  return new Map(all.map((text, index) => [text, all.length === 1 ? 0.5 : (sizes[index]! - first) / span]));
}

const MARKS = ["\u25cf", "\u25b2", "\u25a0", "\u25c6", "\u25cb", "\u25b3", "\u25a1", "\u25c7"];

function drawn(lines: Line[], columns: string[], key: string, metric: string, unit: string): SVGElement {
  const x = places(columns);
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

function table({ key, columns: all, lines }: Laid, unit: string): HTMLElement {
  const columns = [...places(all).keys()];
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
