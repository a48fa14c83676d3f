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
  let chart: Plot | undefined;
  let turn = 0;
  return {
    show: async (view) => {
      turn += 1;
      const mine = turn;
      const found = view.lines[0] ? await terms(view.lines[0]) : [];
      // Something else may have been chosen while this was loaded.
      if (mine !== turn) return;
      chart = undefined;
      host.replaceChildren();
      if (found.length === 0) return;
      const names = found.map(([bench, term], index) => element("span", { class: `line${index % 4}` }, `\u25cf ${term.metric} of ${bench}`));
      const place = element("div", { class: "plot", role: "img", "aria-label": `Computed from ${found.map(([bench, term]) => `${term.metric} of ${bench}`).join(" and ")}` });
      host.append(element("p", { class: "legend" }, "Computed from ", ...names), place);
      chart = plot(place, when, { moved, pointed: () => undefined });
      chart.show({ ...view, lines: found.map(([, term]) => term), log: false });
    },
    within: (from, to) => chart?.within(from, to),
  };
}
