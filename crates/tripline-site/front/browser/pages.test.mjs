// The pages in a browser: from the disk and from a server, light and dark, wide and narrow, by mouse and by keys.
//
// tools/test makes the pages (the example `made_up`) and names their folder in TRIPLINE_PAGES: `ordinary`, `computed`, `odd`, `large`.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { firstPaint, launched, served } from "./served.mjs";

const pages = process.env.TRIPLINE_PAGES;
assert.ok(pages, "TRIPLINE_PAGES names no folder: tools/test makes one");
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;
let address;

before(async () => {
  browser = await launched();
  server = await served(pages);
  address = server.address;
});

after(async () => {
  await browser.close();
  server.close();
});

/** Opens a page, and returns it with all that went wrong and all that it asked for. */
async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  const asked = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  // The icon of a page that was left is not waited for; whatever else is not loaded is a fault.
  const isLeft = (request) => request.failure()?.errorText === "net::ERR_ABORTED" && request.url().endsWith("/icon.svg");
  page.on("requestfailed", (request) => isLeft(request) || wrong.push(`not loaded: ${request.url()}`));
  page.on("response", (response) => response.status() >= 400 && wrong.push(`${response.status()}: ${response.url()}`));
  page.on("dialog", (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(url);
  return { page, wrong, asked, close: () => context.close() };
}

/** Returns the pages of a site, from its root. */
async function all(site) {
  const found = await readdir(`${pages}/${site}`, { recursive: true });
  return found.filter((path) => path.endsWith(".html")).sort();
}

async function slug(site, begin) {
  return (await readdir(`${pages}/${site}/b`)).find((name) => name.startsWith(begin));
}

/** Returns the slug of a benchmark that has a ratio. */
async function ratio() {
  return (await readdir(`${pages}/computed/b`)).find((name) => /bytes-64-[0-9a-f]{8}$/.test(name));
}

/** Waits until a benchmark's chart is drawn. */
const drawn = (page) => page.locator(".plot canvas").first().waitFor();

/** Goes to a page, and waits until its script has done its work. */
async function go(page, root, path) {
  await page.goto(root + path);
  if (path.startsWith("b/")) await drawn(page);
  if (path.startsWith("compare/")) await page.locator("#result > *").first().waitFor();
}

for (const site of ["ordinary", "odd"]) {
  for (const way of ["disk", "server"]) {
    test(`every page of ${site} works from the ${way} and asks for nothing of others`, async () => {
      const root = way === "disk" ? `file://${pages}` : address;
      const { page, wrong, asked, close } = await open(`${root}/${site}/index.html`);
      for (const path of await all(site)) {
        await go(page, `${root}/${site}/`, path);
        assert.deepEqual(wrong, [], path);
        assert.deepEqual(asked.filter((url) => !url.startsWith(root)), [], path);
      }
      await close();
    });
  }
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in the ${colorScheme}`, async () => {
    for (const [site, paths] of [["ordinary", await all("ordinary")], ["computed", [`b/${await ratio()}/index.html`]], ["odd", ["index.html", `b/${await slug("odd", "odd-script")}/index.html`]]]) {
      const { page, close } = await open(`${address}/${site}/index.html`, { colorScheme });
      for (const path of paths) {
        await go(page, `${address}/${site}/`, path);
        // Given to the debugger and not to the page, whose policy takes no script of others.
        await page.evaluate(axe);
        const found = await page.evaluate(() => globalThis.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
        const said = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).slice(0, 3)}`);
        assert.deepEqual(said, [], `${site}/${path}`);
      }
      await close();
    }
  });
}

test("nothing is wider than a phone", async () => {
  for (const site of ["ordinary", "computed", "odd"]) {
    const { page, close } = await open(`${address}/${site}/index.html`, { viewport: { width: 360, height: 740 } });
    for (const path of await all(site)) {
      await go(page, `${address}/${site}/`, path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 360, `${site}/${path} is ${wide} wide`);
    }
    await close();
  }
});

test("what matters reads without a script", async () => {
  const path = `b/${await slug("ordinary", "store-get-bytes-4096")}/index.html`;
  const { page, close } = await open(`${address}/ordinary/${path}#m=wall_time&e=debian-12-x86_64`, { javaScriptEnabled: false });
  assert.match(await page.locator("main").innerText(), /\+12\.40 % worse/);
  assert.equal(await page.locator("svg.chart").first().isVisible(), true);
  await close();
});

test("benchmarks are found by words and choices, and the address says so", async () => {
  const { page, wrong, close } = await open(`file://${pages}/ordinary/index.html`);
  await page.keyboard.press("/");
  await page.keyboard.type("get 4096");
  await page.getByText("1 of 12 found").waitFor();
  assert.match(page.url(), /#q=get%204096$/);
  await page.locator("#metric").selectOption("wall_time");
  await page.locator(".card .metric", { hasText: "wall_time" }).waitFor();
  assert.equal(await page.locator("#grid .card").count(), 1);
  const again = await open(page.url());
  await again.page.getByText("1 of 12 found").waitFor();
  await page.locator("#q").fill("");
  await page.locator("#metric").selectOption("");
  await page.locator("#grid .card").nth(11).waitFor();
  assert.deepEqual(wrong, []);
  await again.close();
  await close();
});

test("the chart is moved by keys, wheel and drag, and the address says where", async () => {
  const path = `b/${await slug("ordinary", "store-get-bytes-4096")}/index.html`;
  const { page, wrong, close } = await open(`${address}/ordinary/${path}#m=wall_time&e=debian-12-x86_64`);
  await drawn(page);
  const plot = page.locator(".plot");
  await plot.focus();
  await page.keyboard.press("End");
  await page.locator("#told strong").waitFor();
  assert.match(await page.locator("#told").innerText(), /54021de755 log: write records/);
  await page.keyboard.press("ArrowLeft");
  await page.getByText("b5caa42dd6").first().waitFor();
  await page.keyboard.press("+");
  await page.waitForURL(/from=/);
  const zoomed = page.url();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.waitForURL((url) => url.href !== zoomed);
  const box = await plot.boundingBox();
  const panned = page.url();
  await page.mouse.move(box.x + 600, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 700, box.y + 150, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL((url) => url.href !== panned);
  await page.keyboard.press("0");
  await page.waitForURL((url) => !url.hash.includes("from="));
  await page.mouse.wheel(0, -200);
  await page.waitForURL(/from=/);
  await page.locator("#axis").selectOption("date");
  await page.waitForURL(/x=date/);
  await page.locator("#log").check();
  await page.waitForURL(/y=log/);
  await page.locator("#metric").selectOption("instructions");
  await page.waitForURL(/m=instructions/);
  const again = await open(page.url());
  await drawn(again.page);
  assert.equal(await again.page.locator("#axis").inputValue(), "date");
  assert.equal(await again.page.locator("#log").isChecked(), true);
  assert.deepEqual(wrong, []);
  await again.close();
  await close();
});

test("two fingers zoom the chart, and one moves it", async () => {
  const path = `b/${await slug("ordinary", "store-get-bytes-4096")}/index.html`;
  const { page, wrong, close } = await open(`${address}/ordinary/${path}`, { hasTouch: true });
  await drawn(page);
  const plot = page.locator(".plot");
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  const fingers = await page.context().newCDPSession(page);
  const touch = (type, ...places) =>
    fingers.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: places.map((x, id) => ({ id, x: box.x + x, y: box.y + 150 })),
    });
  await touch("touchStart", 500, 600);
  await touch("touchMove", 450, 650);
  await touch("touchMove", 350, 750);
  await touch("touchEnd");
  await page.waitForURL(/from=/);
  const zoomed = page.url();
  await touch("touchStart", 500);
  await touch("touchMove", 550);
  await touch("touchMove", 650);
  await touch("touchEnd");
  await page.waitForURL((url) => url.href !== zoomed && url.hash.includes("from="));
  assert.deepEqual(wrong, []);
  await close();
});

test("keys alone reach everything, in the order it stands", async () => {
  const { page, close } = await open(`${address}/ordinary/index.html`);
  const reached = [];
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.innerText.trim()));
  }
  assert.deepEqual(reached.slice(0, 7), ["Skip to the content", "acme/store", "What changed", "Benchmarks", "Compare", "Data", "Feed"]);
  assert.ok(reached.includes("log/recover"), String(reached));
  await close();
});

test("a ratio is drawn with its terms, and benchmarks along any param", async () => {
  const path = `b/${await slug("computed", "store-get-bytes-64-threads-1")}/index.html`;
  const { page, wrong, close } = await open(`${address}/computed/${path}`);
  await page.locator("#pivot svg.chart").waitFor();
  assert.equal(await page.locator("#pivot path.trace").count(), 3);
  await page.locator("#along").selectOption("threads");
  await page.waitForURL(/p=threads/);
  assert.equal(await page.locator("#pivot path.trace").count(), 2);
  const again = await open(page.url());
  await again.page.locator("#pivot summary").click();
  assert.match(await again.page.locator("#pivot table").innerText(), /threads\s+1\s+2\s+8/);
  await go(page, `${address}/computed/`, `b/${await ratio()}/index.html`);
  await page.locator(".terms canvas").waitFor();
  assert.match(await page.locator(".terms .legend").innerText(), /throughput of store\/get\{bytes=64,threads=1\}.*threads=8/s);
  await page.locator(".plot").first().focus();
  await page.keyboard.press("+");
  await page.waitForURL(/from=/);
  assert.deepEqual(wrong, []);
  await again.close();
  await close();
});

test("terms of two units have an axis each, and a slow load shows nothing that was left", async () => {
  const path = `b/${await slug("computed", "store-put-bytes-64")}/index.html`;
  const { page, wrong, close } = await open(`${address}/computed/index.html`);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route("**/data/b/store-get-bytes-64-threads-8-*.js", async (route) => { await held; await route.continue(); });
  await go(page, `${address}/computed/`, `${path}#m=heap_peak`);
  await page.locator("#pivot svg.chart").waitFor();
  const asked = page.waitForRequest(/threads-8/);
  await page.locator("#metric").selectOption("weight");
  await asked;
  await page.locator("#metric").selectOption("heap_peak");
  const came = page.waitForEvent("requestfinished", (request) => request.url().includes("threads-8"));
  release();
  await came;
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.match(await page.locator("#pivot svg.chart").getAttribute("aria-label"), /^heap_peak along bytes/);
  assert.equal(await page.locator(".terms canvas").count(), 0);
  await page.locator("#metric").selectOption("weight");
  await page.locator(".terms canvas").nth(1).waitFor();
  const legends = await page.locator(".terms .legend").allInnerTexts();
  assert.equal(legends.length, 2);
  assert.match(legends[0], /heap_peak of store\/put/);
  assert.match(legends[1], /throughput of store\/get/);
  // It was measured at one value of each param: there is nothing to draw along one.
  assert.equal(await page.locator("#pivot > *").count(), 0);
  // The same charts show whatever is chosen next.
  const first = await page.locator(".terms .plot").first().elementHandle();
  await page.locator("#axis").selectOption("date");
  await page.waitForURL(/x=date/);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.ok(await first.evaluate((was) => was === document.querySelector(".terms .plot") && was.querySelectorAll("canvas").length === 1));
  await page.locator("#metric").selectOption("drift");
  await page.locator("#pivot svg[aria-label^=drift]").waitFor();
  const heights = await page.locator("#pivot text.mark").evaluateAll((marks) => marks.map((mark) => Number(mark.getAttribute("y"))));
  assert.ok(heights.length === 2 && heights.every((y) => y > 0 && y < 250), `values below zero lie at ${heights}`);
  assert.deepEqual(wrong, []);
  await close();
});

test("terms that load slowly are drawn where the chart was moved meanwhile", async () => {
  const { page, wrong, close } = await open(`${address}/computed/index.html`);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route("**/data/b/store-get-bytes-64-threads-8-*.js", async (route) => { await held; await route.continue(); });
  // What is held keeps the page from being loaded, and not from being used.
  await page.goto(`${address}/computed/b/${await ratio()}/index.html`, { waitUntil: "commit" });
  await drawn(page);
  await page.locator(".plot").first().focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.waitForFunction(() => location.hash.includes("from="));
  release();
  const picture = async (page) => {
    const canvas = page.locator(".terms canvas");
    await canvas.waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return canvas.evaluate((canvas) => canvas.toDataURL());
  };
  const moved = await picture(page);
  const again = await open(page.url());
  assert.equal(moved, await picture(again.page));
  const whole = await open(`${address}/computed/b/${await ratio()}/index.html`);
  assert.notEqual(moved, await picture(whole.page));
  assert.deepEqual(wrong, []);
  await again.close();
  await whole.close();
  await close();
});

test("two commits are compared, and noise is called so", async () => {
  const { page, wrong, close } = await open(`file://${pages}/ordinary/compare/index.html`);
  await page.getByText("store/get{bytes=4096,threads=1}").first().waitFor();
  assert.match(page.url(), /#f7ac9b6964\.\.54021de755$/);
  await page.locator("#moved").uncheck();
  await page.getByText("did not change: noise").first().waitFor();
  assert.equal(await page.locator("#result tbody tr").count(), 24);
  assert.deepEqual(wrong, []);
  await close();
});

test("all values are saved as they were", async () => {
  const path = `b/${await slug("ordinary", "log-append")}/index.html`;
  const { page, close } = await open(`${address}/ordinary/${path}`);
  await drawn(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#csv").click()]);
  const text = await readFile(await download.path(), "utf8");
  assert.equal(text.trim().split("\r\n").length, 1 + 2 * 240);
  assert.match(text, /^benchmark,metric,unit,environment,commit,value,low,high\r\nlog\/append,/);
  // What Rust says of the latest values is what was packed, unpacked and saved of them.
  const table = (await readFile(`${pages}/ordinary/data/benchmarks.csv`, "utf8")).split(/\r?\n/).map((row) => row.split(","));
  const rows = table.filter(([suite, name]) => suite === "log" && name === "append");
  assert.equal(rows.length, 2);
  for (const [, , metric, , environment, id, ...said] of rows) {
    const saved = text.split("\r\n").map((row) => row.split(",")).find((row) => row[1] === metric && row[3] === environment && row[4] === id);
    const [value, low, high] = said.map(Number);
    const near = Math.max(value * 1e-5, (high - low) / 1000);
    for (const [at, number] of [value, low, high].entries()) {
      assert.ok(Math.abs(saved[5 + at] - number) <= near, `${metric}: ${saved.slice(5)} for ${said}`);
    }
  }
  await close();
});

test("ten thousand commits are drawn, and moving them keeps up", async () => {
  const name = (await readdir(`${pages}/large/b`))[0];
  const { page, wrong, asked, close } = await open(`${address}/large/b/${name}/index.html`);
  await drawn(page);
  const files = [...new Set(asked)].map((url) => new URL(url).pathname);
  const packed = (await Promise.all(files.map(async (file) => gzipSync(await readFile(pages + file)).length))).reduce((sum, size) => sum + size);
  console.log(`# a page of ${files.length} files packs to ${packed} bytes`);
  assert.ok(files.some((file) => file.includes("/data/b/")), String(files));
  assert.ok(packed < 150_000, `${packed} bytes of ${files}`);
  await page.locator(".plot").focus();
  const frames = await page.evaluate(async () => {
    const plot = document.querySelector(".plot");
    plot.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
    const took = [];
    for (let step = 0; step < 30; step += 1) {
      await new Promise(requestAnimationFrame);
      const began = performance.now();
      plot.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, bubbles: true }));
      await Promise.resolve();
      took.push(performance.now() - began);
    }
    return took.sort((a, b) => a - b);
  });
  const paint = await firstPaint(page);
  const home = await open(`${address}/large/index.html`);
  const first = await firstPaint(home.page);
  console.log(`# first paint of the first page ${first.toFixed(0)} ms, of a benchmark's ${paint.toFixed(0)} ms; a step of moving, median ${frames[15].toFixed(1)} ms`);
  // What is promised is 500 ms and 60 frames; these bars hold on a machine that does much else, and see what breaks.
  assert.ok(first < 3000 && paint < 3000, `first paint after ${first} and ${paint} ms`);
  assert.ok(frames[15] < 100, `a step of moving takes ${frames[15]} ms`);
  assert.deepEqual(wrong, []);
  await home.close();
  await close();
});
