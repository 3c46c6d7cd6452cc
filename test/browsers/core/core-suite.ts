/** What matters most in each browser. `npm test` has the clipboard and the window; share pages are in `npm run test:browsers`. */
import { describe } from 'vitest';
import { type EngineSuite, hasAllSuites } from '../../support/browser/in-each-engine.ts';
import { copyingSuite } from './copying.ts';
import { sharePagesSuite } from './share-pages.ts';
import { windowSuite } from './window.ts';

export const coreSuite: EngineSuite = (...each) => {
  describe('the clipboard', () => copyingSuite(...each));
  describe('the window', () => windowSuite(...each));
  if (hasAllSuites) describe('a share page', () => sharePagesSuite(...each));
};
