// Two commits beside each other: every benchmark, largest difference first.

import { by, element } from "./dom";
import { change, value } from "./figures";
import { load, root, sums } from "./load";
import { state } from "./state";

/** What values are of: see `compare.rs`. */
type Line = [slug: string, bench: string, metric: string, environment: string, unit: string, better: string,
  changes: [place: number, effect: string, size: string][]];

interface Difference { line: Line; before: number; after: number; changes: Line[6] }

const ROWS_MAX = 500;

async function begin(form: HTMLElement, said: HTMLElement, result: HTMLElement): Promise<void> {
  const [[first, piece, lines], [, heights]] = (await Promise.all([load("data/lines.js"), load("data/times.js")])) as
    [[number, number, Line[]], [number[], number[]]];
  const count = heights.length;
  const ids = await commits(first, count);
  const [from, to] = [by<HTMLSelectElement>("from")!, by<HTMLSelectElement>("to")!];
  const moved = by<HTMLInputElement>("moved")!;
  for (const select of [from, to]) {
    for (let place = count - 1; place >= first; place -= 1) {
      const [id, subject] = ids.get(place)!;
      select.append(element("option", { value: String(place) }, `${id.slice(0, 10)} ${subject}`.trim()));
    }
  }
  const place = (text: string | null, otherwise: number): string => {
    const known = [...ids].find(([, [id]]) => text && id.startsWith(text));
    return String(known?.[0] ?? Math.max(first, otherwise));
  };
  const read = (): void => {
    const [a, b] = location.hash.slice(1).split("&")[0]!.split("..");
    from.value = place(a ?? null, count - 21);
    to.value = place(b ?? null, count - 1);
    moved.checked = !state().has("all");
  };
  const show = async (): Promise<void> => {
    const [a, b] = [Number(from.value), Number(to.value)];
    const id = (at: number): string => ids.get(at)![0].slice(0, 10);
    history.replaceState(null, "", `#${id(a)}..${id(b)}${moved.checked ? "" : "&all=1"}`);
    const [before, after] = await Promise.all([at(a, first, piece), at(b, first, piece)]);
    const between = ([place]: [number, ...unknown[]]): boolean => place > Math.min(a, b) && place <= Math.max(a, b);
    const both = lines.flatMap((line, index): Difference[] => {
      const [one, other] = [before.get(index), after.get(index)];
      if (one === undefined || other === undefined) return [];
      return [{ line, before: one, after: other, changes: line[6].filter(between) }];
    });
    const shown = both.filter((one) => !moved.checked || one.changes.length > 0);
    shown.sort((one, other) => size(other) - size(one));
    const steady = both.length - both.filter((one) => one.changes.length > 0).length;
    said.textContent = `${both.length} values were measured at both; of ${steady} the level did not change between them.`
      + (shown.length > ROWS_MAX ? ` The ${ROWS_MAX} largest differences are shown.` : "");
    result.replaceChildren(shown.length ? table(shown.slice(0, ROWS_MAX)) : element("p", { class: "nothing" }, "No level changed between them."));
  };
  const tell = (error: Error): void => void (said.textContent = `Nothing was compared: ${error.message}`);
  const start = (): void => void show().catch(tell);
  form.addEventListener("input", start);
  window.addEventListener("hashchange", () => { read(); start(); });
  read();
  form.hidden = false;
  start();
}

/** Returns the commits that can be compared, by place. */
async function commits(first: number, count: number): Promise<Map<number, [string, string]>> {
  const PIECE = 500;
  const pieces: Promise<unknown[]>[] = [];
  for (let piece = Math.floor(first / PIECE); piece * PIECE < count; piece += 1) pieces.push(load(`data/commits/${piece}.js`));
  const all = new Map<number, [string, string]>();
  for (const [start, rows] of (await Promise.all(pieces)) as [number, [string, string][]][]) {
    rows.forEach((row, index) => all.set(start + index, row));
  }
  return all;
}

/** Returns the values at a commit, by line. */
async function at(place: number, first: number, piece: number): Promise<Map<number, number>> {
  const start = first + Math.floor((place - first) / piece) * piece;
  const [, commits] = (await load(`data/at/${start}.js`)) as [number, [number[], number[]][]];
  const [which, values] = commits[place - start] ?? [[], []];
  return new Map(sums(which).map((line, index) => [line, values[index]!]));
}

function size({ before, after }: Difference): number {
  const ratio = before === 0 ? Infinity : Math.abs(after / before);
  return ratio === 0 ? Infinity : Math.abs(Math.log(ratio));
}

function effect({ line, before, after, changes }: Difference): string {
  if (changes.length === 0 || before === after) return "";
  if (line[5] === "neither") return "moved";
  return (after > before) === (line[5] === "lower") ? "worse" : "better";
}

function table(rows: Difference[]): Node {
  const heads = ["Benchmark", "Metric", "From", "To", "Difference", "Level"];
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Differences" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows.map(row))));
}

function row(difference: Difference): Node {
  const { line: [slug, bench, metric, environment, unit], before, after, changes } = difference;
  const href = `${root}b/${slug}/index.html#m=${metric}&e=${environment}`;
  const kind = effect(difference);
  const arrow = after > before ? "\u25b2 " : after < before ? "\u25bc " : "";
  const level = changes.length ? changes.map(([, , size]) => size).join(", ") : "did not change: noise";
  return element("tr", {},
    element("td", { class: "name" }, element("a", { href }, bench)),
    element("td", {}, `${metric} · ${environment}`),
    element("td", {}, value(before, unit)),
    element("td", {}, value(after, unit)),
    element("td", { class: kind }, `${arrow}${change(before, after)}${kind ? ` ${kind}` : ""}`),
    element("td", { class: "standing" }, level));
}

const [form, said, result] = [by("pick"), by("said"), by("result")];
if (form && said && result) {
  begin(form, said, result).catch((error: Error) => void (said.textContent = `Nothing can be compared: ${error.message}`));
}
