// What a computed line is computed from, drawn below it and moved along with it.

import { element } from "./dom";
import { type Plot, plot, type View } from "./plot";
import { terms, type Times } from "./tile";

export interface Below {
  /** Shows what the lines of a view are computed from, if they are. */
  show: (view: View) => Promise<void>;
  /** Shows another part of the same. */
  within: (from: number | undefined, to: number | undefined) => void;
}

/** Makes room for it in an element. */
export function below(host: HTMLElement, when: Times, moved: Below["within"]): Below {
  // One for each unit, because an axis has one. They are kept: a chart listens to the window for as long as the page is there.
  const charts = new Map<string, { place: HTMLElement; chart: Plot }>();
  let units: string[] = [];
  let turn = 0;
  // The part that is shown now, which may have been moved while something was loaded.
  let part: Pick<View, "from" | "to"> = {};
  const within = (from: number | undefined, to: number | undefined, but?: string): void => {
    part = { from, to };
    for (const unit of units) if (unit !== but) charts.get(unit)!.chart.within(from, to);
  };
  const of = (unit: string): { place: HTMLElement; chart: Plot } => {
    const known = charts.get(unit);
    if (known) return known;
    const place = element("div", { class: "plot", role: "img" });
    const chart = plot(place, when, { moved: (from, to) => { within(from, to, unit); moved(from, to); }, pointed: () => undefined });
    charts.set(unit, { place, chart });
    return { place, chart };
  };
  return {
    show: async (view) => {
      turn += 1;
      const mine = turn;
      part = { from: view.from, to: view.to };
      const found = view.lines[0] ? await terms(view.lines[0]) : [];
      // Something else may have been chosen while this was loaded.
      if (mine !== turn) return;
      units = [...new Set(found.map(([, term]) => term.unit))];
      host.replaceChildren();
      for (const unit of units) {
        const those = found.filter(([, term]) => term.unit === unit);
        const names = those.map(([bench, term]) => `${term.metric} of ${bench}`);
        const { place, chart } = of(unit);
        place.setAttribute("aria-label", `Computed from ${names.join(" and ")}`);
        host.append(element("p", { class: "legend" }, "Computed from ", ...names.map((name, index) => element("span", { class: `line${index % 4}` }, `\u25cf ${name}`))), place);
        chart.show({ ...view, ...part, lines: those.map(([, term]) => term), frame: view.lines, log: false });
      }
    },
    within,
  };
}
