/** Test files that need Chromium say so, and those that are named exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NEEDS } from './not-on-windows.ts';

/** The folders that `npm run test:windows` runs. */
const ON_WINDOWS = 'test/{api,base,cli,engine,host,ipc,main,server}/**/*.test.ts';

it('each file that opens a browser is left out as a whole, or leaves out the tests that do', () => {
  const unnamed = globSync(ON_WINDOWS)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => {
      const text = readFileSync(path, 'utf8');
      return (
        /support\/browser\/chromium\.ts'/.test(text) && !/itWith\('(Chromium|programs)/.test(text) && !(path in NEEDS)
      );
    });
  expect(unnamed).toEqual([]);
});

it('each file that is left out exists', () => {
  expect(Object.keys(NEEDS).filter((path) => !existsSync(path))).toEqual([]);
});
