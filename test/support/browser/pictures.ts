/** Screenshots of the browsers of the tests. `PICTURES=DIR` saves those of a run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './engines.ts';
import type { Tab } from './tab.ts';

const PICTURES = process.env['PICTURES'];

/**
 * Of the page; of the whole screen in WebKitGTK, whose driver takes a picture by a script of its own and never answers
 * where scripts are blocked or an enlarged page has nothing new to paint.
 */
export const pictureOf = async ({ name, screen }: Engine, tab: Tab): Promise<Buffer> =>
  name === 'webkit' && screen !== null ? screen.run('maim', '--hidecursor') : tab.screenshot();

/** Saves one as `<name>-<browser>.png` where the run keeps them. */
export const keepPicture = async (engine: Engine, tab: Tab, name: string): Promise<void> => {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await writeFile(join(PICTURES, `${name}-${engine.name}.png`), await pictureOf(engine, tab));
};
