// What is looked at stands in the address, so that it can be sent to somebody.

/** Returns what the address says. */
export function state(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Says it in the address, leaving out what is as it begins. No step back is added: moving a chart is no visit. */
export function remember(values: Record<string, string>): void {
  const kept = Object.entries(values).filter(([, value]) => value !== "");
  const text = kept.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  const address = text ? `#${text}` : location.pathname + location.search;
  if (`#${text}` !== location.hash) history.replaceState(null, "", address);
}
