// The promised size: 2,000 benchmarks of 8 metrics at 10,000 commits. It takes minutes and gigabytes to make, so
// `tools/pages --largest` makes it when it is asked for; what is asked of it here is what is promised.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { firstPaint, launched, served } from "./served.mjs";

const pages = process.env.TRIPLINE_LARGEST;
assert.ok(pages, "TRIPLINE_LARGEST names no folder: `tools/pages --largest` makes one");

/** How often each page is opened: the median is told. */
const OPENED = 5;

let browser;
let server;

before(async () => {
  browser = await launched();
  server = await served(pages);
});

after(async () => {
  await browser.close();
  server.close();
});

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Notes in a page when the frame after its chart was there began. */
function notesWhenDrawn() {
  const seen = new MutationObserver(() => {
    if (!document.querySelector(".plot canvas")) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame((at) => { globalThis.drawnAt = at; }));
  });
  seen.observe(document, { childList: true, subtree: true });
}

/** Opens a page in a browser that knows nothing yet, and returns it with the files that it asked for. */
async function open(path) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  await context.addInitScript(notesWhenDrawn);
  const page = await context.newPage();
  const asked = new Set();
  page.on("request", (request) => asked.add(new URL(request.url()).pathname));
  await page.goto(`${server.address}/${path}`);
  return { page, asked, close: () => context.close() };
}

const packed = async (files) => {
  const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(pages + file)).length));
  return sizes.reduce((sum, size) => sum + size, 0);
};

test("the first page is small, and there at once", async () => {
  const paints = [];
  let size = 0;
  for (let time = 0; time < OPENED; time += 1) {
    const { page, asked, close } = await open("index.html");
    paints.push(await firstPaint(page));
    size = await packed(asked);
    await close();
  }
  console.log(`# first view: ${size} bytes packed (promised: 250,000), painted after ${median(paints).toFixed(0)} ms (promised: 500)`);
  assert.ok(size <= 250_000, `${size} bytes`);
  assert.ok(median(paints) <= 500, `${paints} ms`);
});

test("a benchmark's page is small, drawn soon, and moves at sixty frames a second", async () => {
  const [name] = await readdir(`${pages}/b`);
  const draws = [];
  const steps = [];
  let size = 0;
  for (let time = 0; time < OPENED; time += 1) {
    // From the first page, whose files are there then.
    const { page, asked, close } = await open("index.html");
    const known = new Set(asked);
    await page.goto(`${server.address}/b/${name}/index.html`);
    await page.waitForFunction(() => globalThis.drawnAt !== undefined);
    draws.push(await page.evaluate(() => globalThis.drawnAt));
    size = await packed([...asked].filter((file) => !known.has(file)));
    await page.locator(".plot").focus();
    steps.push(...await page.evaluate(async () => {
      const plot = document.querySelector(".plot");
      const press = (key, shiftKey) => plot.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
      press("+", false);
      const took = [];
      for (let step = 0; step < 60; step += 1) {
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        press("ArrowLeft", true);
        // The chart is drawn in a task of its own, before the next frame.
        await Promise.resolve();
        took.push(performance.now() - began);
      }
      return took;
    }));
    await close();
  }
  console.log(`# a benchmark's page: ${size} bytes packed more (promised: 150,000), drawn after ${median(draws).toFixed(0)} ms (promised: 300), `
    + `a step of moving ${median(steps).toFixed(1)} ms (promised: 16.7)`);
  assert.ok(size <= 150_000, `${size} bytes`);
  assert.ok(median(draws) <= 300, `${draws} ms`);
  assert.ok(median(steps) <= 1000 / 60, `${median(steps)} ms a step`);
});
