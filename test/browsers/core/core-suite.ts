/** What matters most in each browser: the part of these suites that is in `npm test`. */
import { describe } from 'vitest';
import type { EngineSuite } from '../../support/browser/in-each-engine.ts';
import { copyingSuite } from './copying.ts';
import { sharePagesSuite } from './share-pages.ts';
import { windowSuite } from './window.ts';

export const coreSuite: EngineSuite = (...each) => {
  describe('the clipboard', () => copyingSuite(...each));
  describe('a share page', () => sharePagesSuite(...each));
  describe('the window', () => windowSuite(...each));
};
