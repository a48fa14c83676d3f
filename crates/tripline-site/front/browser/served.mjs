// Pages from a server of their own, and when they are seen.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const KINDS = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml", xml: "application/xml", json: "application/json", csv: "text/csv" };

/** Starts a browser. */
export const launched = () => chromium.launch({ executablePath: process.env.TRIPLINE_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Hands a folder out to this machine. */
export async function served(folder) {
  const server = createServer(async (request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
      const bytes = await readFile(folder + path);
      response.writeHead(200, { "content-type": KINDS[path.split(".").pop()] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** When a page first showed something. A loaded page may not have been painted yet, so this waits until it was. */
export const firstPaint = (page) => page.evaluate(() => new Promise((seen) => {
  new PerformanceObserver((list) => {
    const entry = list.getEntriesByName("first-contentful-paint")[0];
    if (entry) seen(entry.startTime);
  }).observe({ type: "paint", buffered: true });
}));
