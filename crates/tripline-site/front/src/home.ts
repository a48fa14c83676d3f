// The first page: looking for benchmarks among all there are. What the page shows by itself stays until somebody looks.

import { by, element, spark } from "./dom";
import { load, root } from "./load";
import { remember, state } from "./state";

/** A benchmark in the list: see `listing.rs`. */
type Row = [slug: string, suite: string, name: string, metric: string, environment: string, latest: string, effect: string,
  change: string, params: string, environments: string, heights: string];

const SHOWN_MAX = 400;
const IDS = ["q", "suite", "metric", "environment", "param"] as const;

const form = by<HTMLFormElement>("tools");
const grid = by("grid");
const found = by("found");

function begin(form: HTMLElement, grid: HTMLElement, found: HTMLElement): void {
  const fields = IDS.flatMap((id) => by<HTMLInputElement | HTMLSelectElement>(id) ?? []);
  const first = [...grid.childNodes];
  const said = state();
  for (const field of fields) field.value = said.get(field.id) ?? "";
  form.hidden = false;

  const look = async (): Promise<void> => {
    const wanted = Object.fromEntries(fields.map((field) => [field.id, field.value.trim()]));
    remember(wanted);
    if (Object.values(wanted).every((value) => value === "")) {
      grid.replaceChildren(...first);
      found.textContent = "";
      return;
    }
    const metric = wanted["metric"];
    const [, rows] = (await load(metric ? `data/list/${metric}.js` : "data/list.js")) as [string, Row[]];
    const shown = rows.filter((row) => fits(row, wanted));
    const more = shown.length > SHOWN_MAX ? `, the first ${SHOWN_MAX} are shown` : "";
    found.textContent = `${shown.length} of ${rows.length} found${more}`;
    grid.replaceChildren(...suites(shown.slice(0, SHOWN_MAX)));
  };
  const tell = (error: Error): void => void (found.textContent = `Nothing was looked for: ${error.message}`);
  const start = (): void => void look().catch(tell);
  form.addEventListener("input", start);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    by("q")?.focus();
  });
  if (fields.some((field) => field.value !== "")) start();
}

/** Returns whether a benchmark is what somebody looks for: every word of the search is in its name or params. */
function fits(row: Row, wanted: Record<string, string>): boolean {
  const [, suite, name, , environment, , , , params, environments] = row;
  const is = (value: string | undefined, one: string): boolean => !value || one === value;
  const has = (value: string | undefined, list: string): boolean => !value || list.split("\n").includes(value);
  const text = `${suite}/${name} ${params}`.toLowerCase();
  const words = (wanted["q"] ?? "").toLowerCase().split(/\s+/);
  const isThere = wanted["metric"] ? is(wanted["environment"], environment) : has(wanted["environment"], environments);
  return is(wanted["suite"], suite) && has(wanted["param"], params) && isThere && words.every((word) => text.includes(word));
}

function suites(rows: Row[]): Node[] {
  const lists = new Map<string, HTMLElement>();
  const sections: Node[] = [];
  for (const row of rows) {
    let list = lists.get(row[1]);
    if (!list) {
      list = element("ul", { class: "cards" });
      lists.set(row[1], list);
      sections.push(element("section", { class: "suite" }, element("h3", {}, row[1]), list));
    }
    list.append(card(row));
  }
  return sections;
}

function card([slug, , name, metric, environment, latest, effect, change, , , heights]: Row): Node {
  const href = `${root}b/${slug}/index.html#m=${metric}&e=${environment}`;
  const last = element("span", { class: effect }, change);
  if (effect) last.append(element("span", { class: "hidden" }, ` ${effect}`));
  return element("li", { class: "card" },
    element("a", { href }, name),
    spark(heights),
    element("p", {}, element("span", { class: "latest" }, latest), " ", element("span", { class: "metric" }, metric), " ", last));
}

if (form && grid && found) begin(form, grid, found);
