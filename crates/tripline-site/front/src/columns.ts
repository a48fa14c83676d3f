// The columns that are drawn: one x for all lines, and a value or a gap of each at every x.

import type { Line, Times } from "./tile";

export type Axis = "commits" | "even" | "date";

export interface Columns {
  /** What uPlot draws: x, and then center, low and high of each line. */
  data: [number[], ...(number | null | undefined)[][]];
  /** Which place each x is; none where there is only a gap. */
  places: (number | undefined)[];
  /** Returns the x of a place. */
  x: (place: number) => number;
}

/** Lays lines out along an axis. */
export function columns(lines: Line[], axis: Axis, times: Times | undefined): Columns {
  const all = [...new Set(lines.flatMap((line) => line.places))].sort((a, b) => a - b);
  const order = new Map(all.map((place, index) => [place, index]));
  const x = (place: number): number => {
    if (axis === "even") return order.get(place) ?? all.filter((other) => other < place).length - 0.5;
    if (!times) return place;
    return axis === "date" ? times.at[place]! : times.height[place]!;
  };
  // Dates may go back from one commit to the next; what is drawn may not.
  const xs: number[] = [];
  const places: (number | undefined)[] = [];
  const breaks = new Set(lines.flatMap((line) => [...line.gaps].map((index) => line.places[index]!)));
  let last = -Infinity;
  const gapAfter = new Map<number, number>();
  for (const place of all) {
    const next = Math.max(x(place), last === -Infinity ? -Infinity : last + 1e-6);
    xs.push(next);
    places.push(place);
    last = next;
    if (breaks.has(place)) {
      gapAfter.set(place, xs.length);
      last = next + 1e-6;
      xs.push(last);
      places.push(undefined);
    }
  }
  const column = (line: Line, values: number[] | undefined): (number | null | undefined)[] => {
    const made = places.map((place): number | null | undefined => {
      const index = place === undefined ? undefined : line.index.get(place);
      return index === undefined ? undefined : values?.[index];
    });
    for (const index of line.gaps) made[gapAfter.get(line.places[index]!)!] = null;
    return made;
  };
  const series = lines.flatMap((line) => [column(line, line.center), column(line, line.low), column(line, line.high)]);
  const at = new Map(places.flatMap((place, index) => (place === undefined ? [] : [[place, xs[index]!] as const])));
  return { data: [xs, ...series], places, x: (place) => at.get(place) ?? x(place) };
}
