// Loads data. A page that was opened from the disk may not fetch a file, and may load a script; so data are scripts that
// call one of the functions below with one value, and what they bring is handed to whoever asked.

/** The way back to the root of the site. */
export const root = document.body.dataset["root"] ?? "";

const brought = new Map<string, unknown[]>();
const asked = new Map<string, Promise<unknown[]>>();

const names = ["tile", "list", "commits", "times", "lines", "values", "family"] as const;
const receivers = Object.fromEntries(
  names.map((name) => [
    name,
    (...values: unknown[]) => {
      const script = document.currentScript as HTMLScriptElement;
      brought.set(script.dataset["path"] ?? "", values);
    },
  ]),
);
Object.assign(window, { tripline: receivers });

/** Loads a file of data once, and returns what it brings. */
export function load(path: string): Promise<unknown[]> {
  const known = asked.get(path);
  if (known) return known;
  const promise = new Promise<unknown[]>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + path;
    script.dataset["path"] = path;
    script.onload = () => resolve(brought.get(path) ?? []);
    script.onerror = () => {
      asked.delete(path);
      reject(new Error(`${path} was not loaded`));
    };
    document.head.append(script);
  });
  asked.set(path, promise);
  return promise;
}

/** Adds differences up again. */
export function sums(differences: number[]): number[] {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}
