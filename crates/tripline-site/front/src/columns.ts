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
  /** The x of the first and the last place of the frame. */
  ends: [number, number];
}

/** Lays lines out along an axis. The frame is the lines whose places are counted where all are equally far apart: others find themselves
 * among these, so that a chart below another one has the same commits at the same x. */
export function columns(lines: Line[], axis: Axis, times: Times | undefined, frame: Line[] = lines): Columns {
  const all = union(lines);
  const counted = frame === lines ? all : union(frame);
  const xOf = along(axis, counted, all, times);
  const xs: number[] = [];
  const places: (number | undefined)[] = [];
  const breaks = new Set(lines.flatMap((line) => [...line.gaps].map((index) => line.places[index]!)));
  let last = -Infinity;
  const at = new Map<number, number>();
  for (const place of all) {
    at.set(place, xs.length);
    last = Math.max(xOf(place), last + TINY);
    xs.push(last);
    places.push(place);
    if (breaks.has(place)) {
      last += TINY;
      xs.push(last);
      places.push(undefined);
    }
  }
  const column = (line: Line, values: number[] | undefined): (number | null | undefined)[] => {
    const made = places.map((place): number | null | undefined => {
      const index = place === undefined ? undefined : line.index.get(place);
      return index === undefined ? undefined : values?.[index];
    });
    // What others have within a gap of this line ends it not: it is one up to its own next point.
    for (const index of line.gaps) made.fill(null, at.get(line.places[index]!)! + 1, at.get(line.places[index + 1]!) ?? made.length);
    return made;
  };
  const series = lines.flatMap((line) => [column(line, line.center), column(line, line.low), column(line, line.high)]);
  const x = (place: number): number => (at.has(place) ? xs[at.get(place)!]! : xOf(place));
  return { data: [xs, ...series], places, x, ends: [xOf(counted[0] ?? 0), xOf(counted[counted.length - 1] ?? 1)] };
}

/** Less than a place, a second or a pixel: what has to come after something. */
const TINY = 1e-6;

function union(lines: Line[]): number[] {
  return [...new Set(lines.flatMap((line) => line.places))].sort((a, b) => a - b);
}

/** Returns what gives the x of a place. */
function along(axis: Axis, counted: number[], all: number[], times: Times | undefined): (place: number) => number {
  if (axis === "even") {
    const known = new Map(counted.map((place, index) => [place, index]));
    return (place) => known.get(place) ?? between(counted, all, place);
  }
  if (!times) return (place) => place;
  if (axis === "commits") return (place) => times.height[place]!;
  // Dates may go back from one commit to the next; what is drawn may not.
  let latest = -Infinity;
  const dates = times.at.map((at) => (latest = Math.max(latest, at)));
  return (place) => dates[place]!;
}

/** Returns where a place lies that is not counted: evenly between those that are. */
function between(counted: number[], all: number[], place: number): number {
  const next = counted.filter((other) => other < place).length;
  const [low, high] = [counted[next - 1] ?? -Infinity, counted[next] ?? Infinity];
  const same = all.filter((other) => other > low && other < high);
  const before = same.filter((other) => other < place).length;
  return next - 1 + (before + 1) / (same.length + 1);
}
