/**
 * Lints the sources of the Electron host for security. The rules see every window, channel and Electron API that they
 * name, anywhere in the files.
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

/** The findings, each as `path: problem`. */
export const unsafeIn = (sources: readonly SourceText[]): string[] =>
  sources.map(read).flatMap((source) => RULES.flatMap((rule) => rule(source).map((what) => `${source.path}: ${what}`)));

/** Number of windows and channels that the rules have checked; a rule that checks nothing proves nothing. */
export const countIn = (sources: readonly SourceText[]): { readonly windows: number; readonly channels: number } => {
  const calls = sources.map(read).flatMap(callsIn);
  return {
    windows: calls.filter(({ name }) => WINDOWS.has(name.split('.').at(-1) ?? '')).length,
    channels: calls.filter(({ name }) => LISTENERS.test(name)).length,
  };
};
