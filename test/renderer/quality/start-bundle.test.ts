/** The window starts with little: what is heavy, and not everyone's, comes when it is asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildRenderer } from '../../support/window/renderer-build.ts';
import { startBundle } from '../../support/window/start-bundle.ts';

let folder: string;
beforeAll(async () => {
  folder = await buildRenderer('shipped');
});

it('starts with less than 350 kB after gzip', () => {
  const { bytes, files } = startBundle(folder, 'index.html');
  expect(files.filter((file) => file.endsWith('.js'))).not.toEqual([]);
  expect(files.filter((file) => file.endsWith('.css'))).not.toEqual([]);
  expect(bytes).toBeLessThan(350_000);
});

it.each([
  ['the drawing of the editor', 'Konva'],
  ['the writing of notes', 'cm-content'],
  ['the highlighting of code', 'hljs-'],
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
