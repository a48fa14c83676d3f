// Makes the scripts under ../assets out of src/. With --check it makes them and compares instead, and says which differ:
// what is committed is what these sources give.

import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const NAMES = ["home", "bench", "compare"];
const here = new URL(".", import.meta.url);

const made = await build({
  absWorkingDir: here.pathname,
  entryPoints: [...NAMES.map((name) => `src/${name}.ts`), "src/bench.css"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  write: false,
  outdir: "out",
});

// Its licence asks for its name to stay.
const UPLOT = "/* holds uPlot 1.6.32, (c) Leon Sorokin, MIT license */\n";
const LICENSES = { "bench.js": UPLOT, "bench.css": UPLOT };

let differ = 0;
for (const { path, text } of made.outputFiles) {
  const file = path.split("/").pop();
  const script = (LICENSES[file] ?? "") + text;
  const place = new URL(`../assets/${file}`, here);
  if (process.argv.includes("--check")) {
    if ((await readFile(place, "utf8")) !== script) {
      console.error(`assets/${file} is not what its sources give: run \`npm run build\` in crates/tripline-site/front`);
      differ += 1;
    }
  } else {
    await writeFile(place, script);
  }
}
process.exitCode = differ ? 1 : 0;
