/** What matters most in each browser: the part of these suites that is in `npm test`. */
import { describe } from 'vitest';
import { inEachEngine } from '../support/browser/in-each-engine.ts';
import { copyingSuite } from './core/copying.ts';
import { sharePagesSuite } from './core/share-pages.ts';
import { windowSuite } from './core/window.ts';

inEachEngine((...each) => {
  describe('the clipboard', () => copyingSuite(...each));
  describe('a share page', () => sharePagesSuite(...each));
  describe('the window', () => windowSuite(...each));
});
