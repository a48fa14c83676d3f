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
  if (ratio >= 1e6) return `${scientific(ratio, 1)}x`;
  if (ratio >= 2) return `${grouped(fixed(ratio, 1))}x`;
  const percent = fixed((ratio - 1) * 100, 2);
  if (Number(percent) === 0) return "<0.01 %";
  return `${ratio > 1 ? "+" : "\u2212"}${percent.replace("-", "")} %`;
}

function count(number: number): string {
  if (Number.isInteger(number)) return grouped(fixed(number, 0));
  if (number >= 1000) return grouped(fixed(number, 1));
  return fourDigits(number);
}

function scaled(number: number, scale: Scale): string {
  const rounded = (size: number) => Number((number / size).toExponential(3));
  const fitting = scale.filter(([size]) => rounded(size) >= 1);
  const [size, symbol] = fitting[fitting.length - 1] ?? scale[0]!;
  const digits = size === 1 && Number.isInteger(number) ? grouped(fixed(number, 0)) : fourDigits(number / size);
  return `${digits} ${symbol}`;
}

function fourDigits(number: number): string {
  if (number === 0) return "0";
  const said = scientific(number, 3);
  const decimals = 3 - Number(said.split("e")[1]);
  if (decimals > 9) return said;
  return grouped(fixed(number, Math.max(0, decimals)));
}

/** Writes a number with some decimals. */
function fixed(number: number, decimals: number): string {
  // Beyond this there is no fraction, and the other way of writing gives a power of ten.
  if (Math.abs(number) >= 1e21) return BigInt(number).toString() + (decimals > 0 ? `.${"0".repeat(decimals)}` : "");
  return rounded(number.toFixed(DIGITS), decimals) ?? number.toFixed(decimals);
}

/** Writes a number with some decimals and a power of ten. */
function scientific(number: number, decimals: number): string {
  const [digits, power] = number.toExponential(DIGITS).split("e");
  const all = rounded(digits!, decimals);
  return (all === undefined ? number.toExponential(decimals) : `${all}e${power}`).replace("e+", "e");
}

/** More digits than a number has after its point, where two roundings are equally near. */
const DIGITS = 100;

/** Of two roundings that are equally near, Rust takes the even one and a browser the larger. Returns the lower one if it is that. */
function rounded(digits: string, decimals: number): string | undefined {
  const end = digits.indexOf(".") + 1 + decimals;
  const kept = digits.slice(0, decimals > 0 ? end : end - 1);
  return /^50*$/.test(digits.slice(end)) && /[02468]$/.test(kept) ? kept : undefined;
}

function grouped(number: string): string {
  const [whole, fraction] = number.split(".");
  const groups = whole!.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
