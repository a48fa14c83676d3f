// How numbers read, as in `tripline-model` (number.rs).

const TIMES: Scale = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]];
const BYTES: Scale = [[1, "B"], [1024, "KiB"], [1024 ** 2, "MiB"], [1024 ** 3, "GiB"], [1024 ** 4, "TiB"]];
const BITS: Scale = [[1, "bit"], [1e3, "kbit"], [1e6, "Mbit"], [1e9, "Gbit"], [1e12, "Tbit"]];

type Scale = [number, string][];

/** Returns a value with its unit. */
export function value(number: number, unit: string): string {
  if (number < 0) return `\u2212${value(-number, unit)}`;
  switch (unit) {
    case "count": return count(number);
    case "ns": return scaled(number, TIMES);
    case "B": return scaled(number, BYTES);
    case "1/s": return `${count(number)}/s`;
    case "B/s": return `${scaled(number, BYTES)}/s`;
    case "bit/s": return `${scaled(number, BITS)}/s`;
    case "ratio": return fourDigits(number);
    default: return `${count(number)} ${unit}`;
  }
}

/** Returns how one value relates to another. */
export function change(before: number, after: number): string {
  if (before === after) return "0 %";
  if (before === 0) return "from zero";
  const ratio = 1 + (after - before) / Math.abs(before);
  if (ratio >= 2) return `${grouped(ratio.toFixed(1))}x`;
  const percent = ((ratio - 1) * 100).toFixed(2);
  if (Number(percent) === 0) return "<0.01 %";
  return `${ratio > 1 ? "+" : "\u2212"}${percent.replace("-", "")} %`;
}

function count(number: number): string {
  if (Number.isInteger(number)) return grouped(number.toFixed(0));
  if (number >= 1000) return grouped(number.toFixed(1));
  return fourDigits(number);
}

function scaled(number: number, scale: Scale): string {
  const rounded = (size: number) => Number((number / size).toExponential(3));
  const fitting = scale.filter(([size]) => rounded(size) >= 1);
  const [size, symbol] = fitting[fitting.length - 1] ?? scale[0]!;
  const digits = size === 1 && Number.isInteger(number) ? grouped(number.toFixed(0)) : fourDigits(number / size);
  return `${digits} ${symbol}`;
}

function fourDigits(number: number): string {
  if (number === 0) return "0";
  const scientific = number.toExponential(3).replace("e+", "e");
  const decimals = 3 - Number(scientific.split("e")[1]);
  if (decimals > 9) return scientific;
  return grouped(number.toFixed(Math.max(0, decimals)));
}

function grouped(number: string): string {
  const [whole, fraction] = number.split(".");
  const groups = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
