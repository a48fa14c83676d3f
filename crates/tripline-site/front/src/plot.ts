// The chart: uPlot with what a trend needs beside lines, and moved by wheel, drag, touch and keys.

import uPlot from "uplot";
import { type Axis, type Columns, columns } from "./columns";
import { value } from "./figures";
import type { Line, Times } from "./tile";

export interface View {
  lines: Line[]; axis: Axis; log: boolean; from?: number | undefined; to?: number | undefined;
  /** The lines that say how far the chart goes and where commits lie, if they are others: those it is drawn below. */
  frame?: Line[];
}

export interface Plot {
  /** Shows something else. */
  show: (view: View) => void;
  /** Shows all of it. */
  reset: () => void;
  /** Shows another part of the same. */
  within: (from: number | undefined, to: number | undefined) => void;
}

interface Listener { moved: (from: number | undefined, to: number | undefined) => void; pointed: (place: number | undefined) => void }

const HEIGHT = 320;
const LINES = ["--trace", "--better", "--worse", "--moved"];

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Makes a chart in an element. */
export function plot(host: HTMLElement, times: Times, listener: Listener): Plot {
  let chart: uPlot | undefined;
  let view: View = { lines: [], axis: "commits", log: false };
  let laid: Columns = { data: [[]], places: [], x: (place) => place, ends: [0, 1] };

  const bounds = (): [number, number] => {
    const [first, last] = laid.ends;
    const margin = first === last ? 1 : (last - first) * 0.01;
    return [first - margin, last + margin];
  };
  const window_ = (): [number, number] => [chart?.scales["x"]?.min ?? 0, chart?.scales["x"]?.max ?? 1];
  const move = (from: number, to: number): void => {
    const [low, high] = bounds();
    const width = Math.min(Math.max(to - from, (high - low) / 2000), high - low);
    const start = Math.min(Math.max(from, low), high - width);
    const isAll = width >= high - low;
    chart?.setScale("x", { min: start, max: start + width });
    listener.moved(isAll ? undefined : start, isAll ? undefined : start + width);
  };
  const zoom = (factor: number, around: number): void => {
    const [from, to] = window_();
    move(around - (around - from) * factor, around + (to - around) * factor);
  };
  const pan = (share: number): void => {
    const [from, to] = window_();
    move(from + (to - from) * share, to + (to - from) * share);
  };

  const within = (from: number | undefined, to: number | undefined): void => {
    const [low, high] = bounds();
    chart?.setScale("x", { min: from ?? low, max: to ?? high });
  };
  const draw = (): void => {
    chart?.destroy();
    laid = columns(view.lines, view.axis, times, view.frame);
    chart = new uPlot(options(host.clientWidth, view, laid, listener), laid.data as uPlot.AlignedData, host);
    within(view.from, view.to);
  };

  listen(host, { chart: () => chart, move, zoom, pan, reset: () => move(...bounds()) });
  new ResizeObserver(() => chart && host.clientWidth !== chart.width && chart.setSize({ width: host.clientWidth, height: HEIGHT })).observe(host);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return {
    show: (next) => { view = next; draw(); },
    reset: () => move(...bounds()),
    within,
  };
}

function options(width: number, view: View, laid: Columns, listener: Listener): uPlot.Options {
  const unit = view.lines[0]?.unit ?? "count";
  const axis = { stroke: colour("--soft"), grid: { stroke: colour("--edge"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
  const lines = view.lines.flatMap((line, index): uPlot.Series[] => {
    const stroke = colour(LINES[index % LINES.length]!);
    const edge: uPlot.Series = { stroke: "transparent", width: 0, points: { show: false } };
    const single = line.center.length < 60;
    return [{ label: line.environment, stroke, width: 1.5, points: { show: single, size: 4, fill: stroke } }, edge, edge];
  });
  const bands = view.lines.flatMap((line, index): uPlot.Band[] => {
    const fill = `${colour(LINES[index % LINES.length]!)}26`;
    return line.low ? [{ series: [3 * index + 3, 3 * index + 2], fill }] : [];
  });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false, setScale: false }, points: { size: 7 }, focus: { prox: -1 } },
    scales: { x: { time: view.axis === "date" }, y: view.log ? { distr: 3 } : {} },
    axes: [
      { ...axis, ...(view.axis === "date" ? {} : { values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? `#${tick}` : "")) }) },
      { ...axis, size: 86, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : value(tick, unit))) },
    ],
    series: [{}, ...lines],
    bands,
    hooks: {
      drawClear: [(chart) => under(chart, view, laid)],
      draw: [(chart) => over(chart, view, laid)],
      setCursor: [(chart) => {
        const index = chart.cursor.idx;
        listener.pointed(index === null || index === undefined ? undefined : laid.places[index]);
      }],
    },
  };
}

/** Draws what lies under the lines: the commits that may have changed a level, limits, and changes of the environment. */
function under(chart: uPlot, view: View, laid: Columns): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const x = (place: number): number => chart.valToPos(laid.x(place), "x", true);
  const pixel = devicePixelRatio;
  const stroke = (points: [number, number][], style: string, dash: number[]): void => {
    ctx.beginPath();
    ctx.setLineDash(dash.map((length) => length * pixel));
    ctx.strokeStyle = style;
    ctx.lineWidth = pixel;
    points.forEach(([left, top], index) => (index ? ctx.lineTo(left, top) : ctx.moveTo(left, top)));
    ctx.stroke();
  };
  for (const line of view.lines) {
    for (const change of line.changes) {
      const shade = colour(`--${change.effect}`);
      const [left, right] = [x(change.from), x(change.to)];
      ctx.fillStyle = `${shade}1c`;
      ctx.fillRect(left, bbox.top, Math.max(right - left, pixel), bbox.height);
      stroke([[x(change.at), bbox.top], [x(change.at), bbox.top + bbox.height]], shade, change.standing === "pending" ? [2, 4] : [3, 3]);
    }
    for (const [name, limit] of [["--soft", line.baseline], ["--worse", line.min], ["--worse", line.max]] as const) {
      if (limit === undefined || (view.log && limit <= 0)) continue;
      const y = chart.valToPos(limit, "y", true);
      stroke([[bbox.left, y], [bbox.left + bbox.width, y]], colour(name), [7, 5]);
    }
    for (const index of line.facts.keys()) {
      const left = x(line.places[index]!);
      const bottom = bbox.top + bbox.height;
      stroke([[left, bottom], [left, bottom - 12 * pixel]], colour("--soft"), []);
    }
  }
  ctx.restore();
}

/** Writes the sizes of changes, the newest first, as far as there is room. */
function over(chart: uPlot, view: View, laid: Columns): void {
  const { ctx, bbox } = chart;
  const pixel = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${12 * pixel}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  const changes = view.lines.flatMap((line) => line.changes).sort((a, b) => b.at - a.at);
  let room = Infinity;
  for (const change of changes) {
    const x = chart.valToPos(laid.x(change.at), "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const text = `${change.after > change.before ? "\u25b2 " : change.after < change.before ? "\u25bc " : ""}${change.size}`;
    const half = ctx.measureText(text).width / 2 + 4 * pixel;
    const middle = Math.min(Math.max(x, bbox.left + half), bbox.left + bbox.width - half);
    if (middle + half > room) continue;
    room = middle - half;
    ctx.fillStyle = colour("--sheet");
    ctx.fillRect(middle - half, bbox.top, 2 * half, 16 * pixel);
    ctx.fillStyle = colour(`--${change.effect}`);
    ctx.fillText(text, middle, bbox.top + 2 * pixel);
  }
  ctx.restore();
}

interface Hand {
  chart: () => uPlot | undefined;
  move: (from: number, to: number) => void;
  zoom: (factor: number, around: number) => void;
  pan: (share: number) => void;
  reset: () => void;
}

/** Moves the chart by wheel, drag, two fingers and keys. */
function listen(host: HTMLElement, hand: Hand): void {
  const at = (client: number): number => {
    const chart = hand.chart()!;
    return chart.posToVal(client - chart.over.getBoundingClientRect().left, "x");
  };
  host.addEventListener("wheel", (event) => {
    // Without a key the wheel moves the page, unless it goes sideways: nobody is held fast by a chart.
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) hand.pan(event.deltaX / 800);
    else if (event.ctrlKey || event.metaKey || event.shiftKey || document.activeElement === host) hand.zoom(Math.exp(event.deltaY / 400), at(event.clientX));
    else return;
    event.preventDefault();
  }, { passive: false });
  const fingers = new Map<number, number>();
  host.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event.clientX);
    host.setPointerCapture(event.pointerId);
    host.focus({ preventScroll: true });
  });
  host.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const chart = hand.chart();
    if (before === undefined || !chart) return;
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
    if (others.length === 0) hand.pan((before - event.clientX) / chart.over.clientWidth);
    else {
      const [was, is] = [Math.abs(before - others[0]!), Math.abs(event.clientX - others[0]!)];
      if (was > 0 && is > 0) hand.zoom(was / is, at((event.clientX + others[0]!) / 2));
    }
    fingers.set(event.pointerId, event.clientX);
  });
  for (const name of ["pointerup", "pointercancel"] as const) host.addEventListener(name, (event) => fingers.delete(event.pointerId));
  host.addEventListener("dblclick", () => hand.reset());
  host.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key(hand, event)) event.preventDefault();
  });
}

/** Does what a key says, and returns whether it said something. */
function key(hand: Hand, event: KeyboardEvent): boolean {
  const chart = hand.chart();
  if (!chart) return false;
  const xs = chart.data[0];
  const index = chart.cursor.idx ?? xs.length - 1;
  const point = (to: number): void => {
    const x = xs[Math.min(Math.max(to, 0), xs.length - 1)]!;
    const [from, until] = [chart.scales["x"]!.min!, chart.scales["x"]!.max!];
    if (x < from || x > until) hand.move(x - (until - from) / 2, x + (until - from) / 2);
    chart.setCursor({ left: chart.valToPos(x, "x"), top: chart.over.clientHeight / 2 });
  };
  const middle = xs[index] ?? 0;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined && event.shiftKey) hand.pan(step / 5);
  else if (step !== undefined) point(index + step);
  else if (event.key === "Home") point(0);
  else if (event.key === "End") point(xs.length - 1);
  else if (event.key === "+" || event.key === "=") hand.zoom(0.6, middle);
  else if (event.key === "-") hand.zoom(1 / 0.6, middle);
  else if (event.key === "0") hand.reset();
  else return false;
  return true;
}
