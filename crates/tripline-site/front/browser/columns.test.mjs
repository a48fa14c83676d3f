// Where points lie: below a commit of a chart lies the same commit in the charts below it, and a gap is one to its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

const front = new URL("..", import.meta.url);
const made = await build({ absWorkingDir: front.pathname, entryPoints: ["src/columns.ts"], bundle: true, format: "esm", write: false });
const { columns } = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString("base64")}`);

/** Makes a line that has the place as its value. */
const line = (places, gaps = []) => ({
  places, center: places, gaps: new Set(gaps), index: new Map(places.map((place, index) => [place, index])),
});
const times = { at: [0, 100, 90, 300, 400, 500, 600], height: [1, 2, 4, 8, 16, 32, 64], repository: "" };
const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-3, `${one} for ${other}`);

test("a term's commits lie below those of its ratio, whatever else it has", () => {
  const ratio = line([1, 2, 4, 5]);
  const term = line([0, 1, 2, 3, 4, 5, 6]);
  for (const axis of ["commits", "even", "date"]) {
    const [above, below] = [columns([ratio], axis, times), columns([term], axis, times, [ratio])];
    for (const place of ratio.places) near(below.x(place), above.x(place));
    assert.deepEqual(below.ends, above.ends);
    const xs = below.data[0];
    assert.ok(xs.every((x, index) => index === 0 || x > xs[index - 1]), `${axis}: ${xs}`);
  }
  near(columns([term], "even", times, [ratio]).x(3), 1.5);
});

test("several commits between two that are counted are evenly apart", () => {
  const below = columns([line([0, 1, 2, 3])], "even", times, [line([0, 3])]);
  near(below.x(1), 1 / 3);
  near(below.x(2), 2 / 3);
});

test("a gap lasts until the line's own next point", () => {
  const broken = line([0, 1, 4], [1]);
  const whole = line([0, 1, 2, 3, 4]);
  const { data, places } = columns([broken, whole], "commits", times);
  const [first, last] = [places.indexOf(1), places.indexOf(4)];
  const center = data[1];
  assert.equal(center[first], 1);
  assert.equal(center[last], 4);
  assert.deepEqual(new Set(center.slice(first + 1, last)), new Set([null]));
  // The other line has no gap there, and is drawn through it.
  assert.ok(data[4].every((value) => value !== null));
});

test("what is no gap is drawn across what others have there", () => {
  const { data } = columns([line([0, 4]), line([0, 1, 2, 4])], "commits", times);
  assert.deepEqual(data[1], [0, undefined, undefined, 4]);
});
