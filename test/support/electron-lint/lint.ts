/**
 * Reads the sources of the Electron host and answers what is unsafe in them. Promise: every window, every channel and
 * every door of Electron that the rules name is seen, wherever in the files it stands.
 */
import {
  bridgeIsNarrow,
  entryPointsAreClosed,
  eventsAreHarmless,
  importsAreHarmless,
  LISTENERS,
  namesAreKept,
  schemesAreModest,
  sendersAreChecked,
  switchesAreHarmless,
} from './shell-api.ts';
import { callsIn, type Rule, read, type SourceText } from './syntax.ts';
import { pagesAreOurs, WINDOWS, windowsAreSafe } from './windows.ts';

const RULES: readonly Rule[] = [
  windowsAreSafe,
  sendersAreChecked,
  entryPointsAreClosed,
  switchesAreHarmless,
  pagesAreOurs,
  schemesAreModest,
  eventsAreHarmless,
  importsAreHarmless,
  namesAreKept,
  bridgeIsNarrow,
];

/** What is unsafe, each as `path: what`; empty: nothing. */
export const unsafeIn = (sources: readonly SourceText[]): string[] =>
  sources.map(read).flatMap((source) => RULES.flatMap((rule) => rule(source).map((what) => `${source.path}: ${what}`)));

/** How many windows and channels the rules have looked at; a rule that sees nothing proves nothing. */
export const countIn = (sources: readonly SourceText[]): { readonly windows: number; readonly channels: number } => {
  const calls = sources.map(read).flatMap(callsIn);
  return {
    windows: calls.filter(({ name }) => WINDOWS.has(name.split('.').at(-1) ?? '')).length,
    channels: calls.filter(({ name }) => LISTENERS.test(name)).length,
  };
};
