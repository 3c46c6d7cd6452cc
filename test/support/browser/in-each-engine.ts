/** Runs a suite in each browser. One that cannot be used here is skipped, with the reason in its title. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Engine, type EngineName, type EngineOptions, openEngine, whyNot } from './engines.ts';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const satisfies readonly EngineName[];

/** Registers tests in the suite of a browser. */
export type EngineSuite = (engine: () => Engine, name: EngineName) => void;

/** `suite` registers tests; they call `engine()` for the browser, which all tests of the suite share. */
export const inEngine = (name: EngineName, suite: EngineSuite, options: EngineOptions = {}): void => {
  const reason = whyNot(name, options);
  const title = `in ${name}${reason === null ? '' : ` [skipped: ${reason}]`}`;
  describe.skipIf(reason !== null)(title, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await openEngine(name, options);
    });
    afterAll(() => engine?.close());
    suite(() => engine, name);
  });
};

export const inEachEngine = (suite: EngineSuite, options: EngineOptions = {}): void => {
  for (const name of ENGINES) inEngine(name, suite, options);
};

/** A test that needs an X screen or programs of Debian, such as pdftotext. */
export const itOnLinux = (title: string, run: () => Promise<void>): void => {
  const isSkipped = process.platform !== 'linux';
  it.skipIf(isSkipped)(isSkipped ? `${title} [skipped: needs an X screen and Debian's programs]` : title, run);
};
