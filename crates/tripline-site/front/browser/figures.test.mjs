// How numbers read here is how they read in the pages that Rust makes: one table for both sides, in figures.json.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { build } from "esbuild";

const front = new URL("..", import.meta.url);
const made = await build({ absWorkingDir: front.pathname, entryPoints: ["src/figures.ts"], bundle: true, format: "esm", write: false });
const { value, change } = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString("base64")}`);
const table = JSON.parse(await readFile(new URL("figures.json", front), "utf8"));

test("values read as in Rust", () => {
  for (const [number, unit, text] of table.values) assert.equal(value(number, unit), text, `${number} ${unit}`);
});

test("changes read as in Rust", () => {
  for (const [before, after, text] of table.changes) assert.equal(change(before, after), text, `${before} to ${after}`);
});
