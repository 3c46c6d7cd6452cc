/** What matters most in each browser: the clipboard, the window and share pages. */
import { describe } from 'vitest';
import type { EngineSuite } from '../../support/browser/in-each-engine.ts';
import { copyingSuite } from './copying.ts';
import { sharePagesSuite } from './share-pages.ts';
import { windowSuite } from './window.ts';

export const coreSuite: EngineSuite = (...each) => {
  describe('the clipboard', () => copyingSuite(...each));
  describe('the window', () => windowSuite(...each));
  describe('a share page', () => sharePagesSuite(...each));
};
