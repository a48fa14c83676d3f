// The numbers of one benchmark, as `tile.rs` writes them, added up again.

import { load, sums } from "./load";

export interface Change {
  effect: string; standing: string; because?: string; size: string; commit: string;
  at: number; from: number; to: number; before: number; after: number;
}

interface Packed {
  metric: string; unit: string; environment: string; places: number; power: number; center: number[]; ends?: number;
  low?: number[]; high?: number[]; gaps: number[]; changes: Change[]; facts: [number, string][];
  baseline?: number; min?: number; max?: number;
  /** What it is computed from: slug and metric of each. */
  terms?: [string, string][];
}

/** One metric in one environment. */
export interface Line extends Omit<Packed, "places" | "ends" | "facts" | "gaps" | "low" | "high"> {
  low: number[] | undefined; high: number[] | undefined; places: number[]; gaps: Set<number>; facts: Map<number, string>;
  /** By place: which point it is. */
  index: Map<number, number>;
}

export interface Tile { name: string; lines: Line[]; count: number }

/** Loads the numbers of a benchmark. */
export async function tile(slug: string): Promise<Tile> {
  const [packed] = (await load(`data/b/${slug}.js`)) as [{ name: string; lines: Packed[]; places: number[][]; count: number }];
  const places = packed.places.map(sums);
  // Lines that were measured together share where, and what is not shown is not added up.
  const index = packed.places.map((_, of) => once(() => new Map(places[of]!.map((place, index) => [place, index]))));
  return { name: packed.name, lines: packed.lines.map((line) => unpacked(line, places[line.places]!, index[line.places]!)), count: packed.count };
}

function unpacked(line: Packed, places: number[], index: () => Map<number, number>): Line {
  // Dividing keeps what multiplying by a thousandth would smear.
  const value = (count: number, power: number): number => (power < 0 ? count / 10 ** -power : count * 10 ** power);
  const coarse = line.ends ?? line.power;
  const finest = Math.min(coarse, line.power);
  const [whole, end] = [10 ** (line.power - finest), 10 ** (coarse - finest)];
  const counts = once(() => sums(line.center));
  const ends = (counted: number[] | undefined, sign: number): number[] | undefined =>
    counted?.map((far, index) => value(counts()[index]! * whole + sign * far * end, finest));
  const center = once(() => counts().map((count) => value(count, line.power)));
  const [low, high] = [once(() => ends(line.low, -1)), once(() => ends(line.high, 1))];
  return {
    ...line,
    places,
    gaps: new Set(line.gaps),
    facts: new Map(line.facts),
    get index() { return index(); },
    get center() { return center(); },
    get low() { return low(); },
    get high() { return high(); },
  };
}

/** Makes something when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/** Returns what a line is computed from, each with its benchmark. */
export async function terms(line: Line): Promise<[bench: string, term: Line][]> {
  const found = (line.terms ?? []).map(async ([slug, metric]): Promise<[string, Line][]> => {
    const { name, lines } = await tile(slug);
    return lines.filter((other) => other.metric === metric && other.environment === line.environment).map((term) => [name, term]);
  });
  return (await Promise.all(found)).flat();
}

export interface Commit { id: string; subject: string }

/** Loads one commit, with its neighbours. */
export async function commit(place: number): Promise<Commit> {
  const PIECE = 500;
  const [start, rows] = (await load(`data/commits/${Math.floor(place / PIECE)}.js`)) as [number, [string, string][]];
  const [id, subject] = rows[place - start] ?? ["", ""];
  return { id, subject };
}

export interface Times { at: number[]; height: number[]; repository: string }

/** Loads when commits were made, how far each is, and where they are shown. */
export async function times(): Promise<Times> {
  const [at, height, repository] = (await load("data/times.js")) as [number[], number[], string];
  return { at: sums(at), height: sums(height), repository };
}
