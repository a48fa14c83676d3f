// Takes the pictures that the documents show: `node browser/pictures.mjs FOLDER`, of the pages in TRIPLINE_PAGES.

import { readdir } from "node:fs/promises";
import { chromium } from "playwright-core";

const [folder] = process.argv.slice(2);
const pages = process.env.TRIPLINE_PAGES;
if (!folder || !pages) throw new Error("name a folder, and the pages' in TRIPLINE_PAGES");
const slug = (await readdir(`${pages}/ordinary/b`)).find((name) => name.startsWith("store-get-bytes-4096"));
const browser = await chromium.launch({ executablePath: process.env.TRIPLINE_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const PICTURES = [
  ["changes", "light", "index.html"],
  ["benchmark", "dark", `b/${slug}/index.html#m=wall_time&e=debian-12-x86_64`],
];
for (const [name, colorScheme, path] of PICTURES) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 640 } });
  await page.goto(`file://${pages}/ordinary/${path}`);
  if (path.startsWith("b/")) await page.locator(".plot canvas").first().waitFor();
  await page.screenshot({ path: `${folder}/${name}.jpg`, type: "jpeg", quality: 70 });
  await page.close();
}
await browser.close();
