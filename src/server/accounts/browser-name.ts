/**
 * Names the browser and the operating system of a User-Agent header, so that users recognise their sessions in a list.
 */

/** Longer than the header of any browser. */
const AGENT_MAX = 512;

/** The first that matches: browsers also name those that they resemble. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.* Safari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\b(?:Linux|X11)\b/],
] as const;

const first = (known: readonly (readonly [string, RegExp])[], agent: string): string | undefined =>
  known.find(([, pattern]) => pattern.test(agent))?.[0];

/** Such as `Firefox · Linux`; null: neither is known. */
export const browserName = (header: string): string | null => {
  const agent = header.slice(0, AGENT_MAX);
  const parts = [first(BROWSERS, agent), first(SYSTEMS, agent)].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(' · ');
};
