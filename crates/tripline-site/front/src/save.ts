// All values of a benchmark as a file, made here: what lies on the server is packed for drawing.

import { element } from "./dom";
import { commit, type Tile } from "./tile";

/** Saves all values as CSV or JSON. */
export async function save(tile: Tile, form: "csv" | "json"): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const line of tile.lines) {
    for (const [index, place] of line.places.entries()) {
      const { id } = await commit(place);
      const center = line.center[index]!;
      rows.push([tile.name, line.metric, line.unit, line.environment, id, center, line.low?.[index] ?? center, line.high?.[index] ?? center]);
    }
  }
  const heads = ["benchmark", "metric", "unit", "environment", "commit", "value", "low", "high"];
  const text = form === "csv"
    ? [heads, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n"
    : JSON.stringify(rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index]]))), null, 1);
  const address = URL.createObjectURL(new Blob([text], { type: form === "csv" ? "text/csv" : "application/json" }));
  const name = tile.name.replace(/[^A-Za-z0-9]+/g, "-");
  element("a", { href: address, download: `${name}.${form}` }).click();
  URL.revokeObjectURL(address);
}

/** Quotes a cell, and takes care that a spreadsheet calculates nothing. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
