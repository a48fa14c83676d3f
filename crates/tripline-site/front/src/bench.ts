// The page of a benchmark: one chart to look closely, in place of the first drawing, which stays below for its tables.

import type { Axis } from "./columns";
import { by, element } from "./dom";
import { change, value } from "./figures";
import { root } from "./load";
import { pivot } from "./pivot";
import { type Plot, plot, type View } from "./plot";
import { save } from "./save";
import { remember, state } from "./state";
import { below } from "./terms";
import { commit, type Line, type Tile, tile, type Times, times } from "./tile";

const AXES: [Axis, string][] = [["commits", "place among commits"], ["even", "even"], ["date", "date"]];

async function begin(app: HTMLElement): Promise<void> {
  const [shown, when] = await Promise.all([tile(app.dataset["slug"]!), times()]);
  const host = element("div", {
    class: "plot", tabindex: "0", role: "application", "aria-label": `Chart of ${shown.name}`, "aria-describedby": "told keys",
  });
  const told = element("p", { class: "told", id: "told", role: "status" });
  let view: View = { lines: [], axis: "commits", log: false };
  const say = (): void => remember({
    m: view.lines[0]?.metric ?? "", e: view.lines.map((line) => line.environment).join(","),
    x: view.axis === "commits" ? "" : view.axis, y: view.log ? "log" : "",
    from: view.from?.toPrecision(10) ?? "", to: view.to?.toPrecision(10) ?? "", p: state().get("p") ?? "",
  });
  let last: number | undefined;
  const knobs = element("div", { class: "knobs" });
  const room = element("div", { class: "terms" });
  const keep = (from: number | undefined, to: number | undefined): void => { view = { ...view, ...range(from, to) }; say(); };
  const terms = below(room, when, (from, to) => { keep(from, to); chart.within(from, to); });
  app.replaceChildren(knobs, host, told, room, element("p", { class: "keys", id: "keys" },
    "Drag to move, pinch or hold Shift with the wheel to zoom. Keys: arrows, Shift with arrows, +, \u2212, 0, Home, End."));
  const chart = plot(host, when, {
    moved: (from, to) => { keep(from, to); terms.within(from, to); },
    pointed: (place) => {
      if (place === undefined || place === last) return;
      last = place;
      void tell(told, view.lines, place, when);
    },
  });
  const show = (next: View): void => {
    view = next;
    chart.show(view);
    say();
    controls(knobs, shown, view, show, chart);
    const { metric, environment, unit } = view.lines[0]!;
    // Neither waits for the other: what was chosen last is asked for last, and so drawn last.
    Promise.all([pivot(metric, environment, unit), terms.show(view)]).catch((error: Error) => void (room.textContent = `Not all was drawn: ${error.message}`));
  };
  const read = (): View => {
    const said = state();
    const first = shown.lines.filter((line) => line.metric === (said.get("m") ?? app.dataset["metric"]));
    const lines = first.length ? first : shown.lines.filter((line) => line.metric === shown.lines[0]!.metric);
    const wanted = (said.get("e") ?? app.dataset["environment"])?.split(",");
    const chosen = wanted ? lines.filter((line) => wanted.includes(line.environment)) : lines.slice(0, 1);
    const axis = AXES.map(([name]) => name).find((name) => name === said.get("x")) ?? "commits";
    const number = (key: string): number | undefined => (said.has(key) ? Number(said.get(key)) : undefined);
    return { lines: chosen.length ? chosen : lines.slice(0, 1), axis, log: said.get("y") === "log", ...range(number("from"), number("to")) };
  };
  show(read());
  window.addEventListener("hashchange", () => show(read()));
  for (const drawn of document.querySelectorAll("details.line[open]")) drawn.removeAttribute("open");
  // The address names a drawing for whoever has no script; with one, the chart shows it.
  if (location.hash) scrollTo(0, 0);
}

/** Returns both ends, or neither. */
function range(from: number | undefined, to: number | undefined): Pick<View, "from" | "to"> {
  const isRange = Number.isFinite(from) && Number.isFinite(to) && from! < to!;
  return isRange ? { from, to } : { from: undefined, to: undefined };
}

function controls(knobs: HTMLElement, shown: Tile, view: View, show: (view: View) => void, chart: Plot): void {
  const focused = document.activeElement?.id;
  const metrics = [...new Set(shown.lines.map((line) => line.metric))];
  const of = (metric: string): Line[] => shown.lines.filter((line) => line.metric === metric);
  const current = view.lines[0]!.metric;
  const select = (id: string, label: string, options: [string, string][], value: string, use: (value: string) => void): Node => {
    const made = element("select", { id, onchange: () => use(made.value) }, ...options.map(([key, text]) => element("option", { value: key }, text)));
    made.value = value;
    return element("label", {}, label, made);
  };
  const metric = select("metric", "Metric", metrics.map((name) => [name, name]), current, (name) => {
    const names = view.lines.map((line) => line.environment);
    const same = of(name).filter((line) => names.includes(line.environment));
    show({ ...view, lines: same.length ? same : of(name).slice(0, 1) });
  });
  const axis = select("axis", "Along", AXES, view.axis, (axis) => show({ ...view, axis: axis as Axis, ...range(undefined, undefined) }));
  const isPositive = view.lines.every((line) => line.center.every((center) => center > 0));
  const log = element("input", { type: "checkbox", id: "log", onchange: () => show({ ...view, log: log.checked }) });
  log.checked = view.log && isPositive;
  log.disabled = !isPositive;
  const environments = of(current).map((line) => {
    const box = element("input", { type: "checkbox", id: `e-${line.environment}`, onchange: () => {
      const lines = of(current).filter((other) => (other === line ? box.checked : view.lines.includes(other)));
      show({ ...view, lines: lines.length ? lines : view.lines });
    } });
    box.checked = view.lines.includes(line);
    return element("label", { class: "check" }, box, line.environment);
  });
  knobs.replaceChildren(
    metric, axis,
    element("label", { class: "check" }, log, "logarithmic"),
    ...(environments.length > 1 ? [element("fieldset", {}, element("legend", {}, "Environments"), ...environments)] : []),
    element("button", { type: "button", id: "reset", onclick: () => chart.reset() }, "Show all"),
    element("button", { type: "button", id: "csv", onclick: () => void save(shown, "csv") }, "Save CSV"),
    element("button", { type: "button", id: "json", onclick: () => void save(shown, "json") }, "Save JSON"),
  );
  if (focused) by(focused)?.focus();
}

/** Tells what is known of a commit: its values, how they differ from those before, and what else changed there. */
async function tell(told: HTMLElement, lines: Line[], place: number, when: Times): Promise<void> {
  const { id, subject } = await commit(place);
  const link = (text: string, address: string): Node => (when.repository
    ? element("a", { href: `${when.repository}/${address}`, rel: "noreferrer" }, text) : element("code", {}, text));
  const parts: (Node | string)[] = [link(id.slice(0, 10), `commit/${id}`), ` ${subject} \u00b7 ${new Date(when.at[place]! * 1000).toISOString().slice(0, 10)}`];
  for (const line of lines) {
    const index = line.index.get(place);
    if (index === undefined) continue;
    const center = line.center[index]!;
    const between = line.low && line.high ? ` (${value(line.low[index]!, line.unit)} \u2026 ${value(line.high[index]!, line.unit)})` : "";
    parts.push(element("br"), element("strong", {}, value(center, line.unit)), `${between}, ${line.environment}`);
    if (index > 0) parts.push(`, ${change(line.center[index - 1]!, center)} from the value before`);
    const facts = line.facts.get(index);
    if (facts) parts.push(element("br"), `the environment changed: ${facts}`);
    for (const one of line.changes.filter((one) => one.at === place)) {
      parts.push(element("br"), element("span", { class: one.effect }, `level changed ${one.size}, ${one.effect}`), `, ${one.standing}${one.because ? `: ${one.because}` : ""}`);
    }
    if (index > 0) {
      const before = await commit(line.places[index - 1]!);
      parts.push(" \u00b7 ", element("a", { href: `${root}compare/index.html#${before.id.slice(0, 10)}..${id.slice(0, 10)}` }, "compare with the one before"));
    }
  }
  told.replaceChildren(...parts);
}

const app = by("app");
if (app) begin(app).catch((error: Error) => void (app.textContent = `The chart was not drawn: ${error.message}`));
