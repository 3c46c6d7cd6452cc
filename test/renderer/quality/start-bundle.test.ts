/** The start bundle is small; large and optional features load on demand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildRenderer } from '../../support/window/renderer-build.ts';
import { startBundle } from '../../support/window/start-bundle.ts';

let folder: string;
beforeAll(async () => {
  folder = await buildRenderer('shipped');
});

it.each(['en', 'ru'] as const)('starts with less than 350 kB after gzip: %s', (language) => {
  const { bytes, files } = startBundle(folder, 'index.html', language);
  expect(files.filter((file) => file.endsWith('.js'))).not.toEqual([]);
  expect(files.filter((file) => file.endsWith('.css'))).not.toEqual([]);
  expect(bytes).toBeLessThan(350_000);
});

it.each([
  ['the drawing of the editor', 'Konva'],
  ['the writing of notes', 'cm-content'],
  ['the highlighting of code', 'hljs-'],
  ['the language that is not spoken', 'Drop files here'],
])('leaves %s for later', (_, sign) => {
  const atStart = startBundle(folder, 'index.html').files;
  const all = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  const has = (file: string) => readFileSync(join(folder, file), 'utf8').includes(sign);
  expect(all.filter(has)).not.toEqual([]);
  expect(atStart.filter(has)).toEqual([]);
});

it.each(['overlay.html', 'toast.html', 'recorder.html'])('%s is no heavier than the window', (page) => {
  expect(startBundle(folder, page).bytes).toBeLessThan(startBundle(folder, 'index.html').bytes);
});

it('contains no texts of a language that cannot be chosen', () => {
  const all = readdirSync(join(folder, 'assets')).map((name) => readFileSync(join(folder, 'assets', name), 'utf8'));
  const speaks = (sign: string) => all.some((text) => text.includes(sign));
  // React Aria's own words of the same button.
  expect(speaks('Очистить поиск')).toBe(true);
  expect(speaks('Effacer la recherche')).toBe(false);
});
