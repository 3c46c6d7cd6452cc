/** Screenshots of the browsers of the tests. `PICTURES=DIR` saves those of a run, and sheets that show the engines side by side. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Engine } from './engines.ts';
import { ENGINES } from './in-each-engine.ts';
import type { Tab } from './tab.ts';

const PICTURES = process.env['PICTURES'];

/**
 * Of the page; of the whole screen in WebKitGTK, whose driver takes a picture by a script of its own and never answers
 * where scripts are blocked or an enlarged page has nothing new to paint.
 */
export const pictureOf = async ({ name, screen }: Engine, tab: Tab): Promise<Buffer> =>
  name === 'webkit' && screen !== null ? screen.run('maim', '--hidecursor') : tab.screenshot();

/** Without the rest of the screen, so that engines are compared at one scale. */
const pictureToKeep = async (engine: Engine, tab: Tab): Promise<Buffer> => {
  const { name, screen } = engine;
  if (name !== 'webkit' || screen === null) return pictureOf(engine, tab);
  const id = String(await screen.run('xdotool', 'getactivewindow')).trim();
  return screen.run('maim', '--hidecursor', '--window', id);
};

/** Saves one as `<name>-<browser>.png` where the run keeps them. */
export const keepPicture = async (engine: Engine, tab: Tab, name: string): Promise<void> => {
  if (PICTURES === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await writeFile(join(PICTURES, `${name}-${engine.name}.png`), await pictureToKeep(engine, tab));
};

const CELL = { width: 480, height: 400 };

/** `sheet-<variant>.png`: a row for each kind, a column for each engine. An engine that did not run leaves its cells empty. */
export const keepSheet = async (kinds: readonly string[], variant: string): Promise<void> => {
  if (PICTURES === undefined) return;
  const cells = kinds.flatMap((kind, row) =>
    ENGINES.map((engine, column) => ({
      file: join(PICTURES, `${kind}-${variant}-${engine}.png`),
      ...{ left: column * CELL.width, top: row * CELL.height },
    })),
  );
  const seen = cells.filter(({ file }) => existsSync(file));
  const drawn = await Promise.all(
    seen.map(async ({ file, left, top }) => ({
      input: await sharp(file)
        .resize(CELL.width - 8, CELL.height - 8, { fit: 'inside' })
        .png()
        .toBuffer(),
      ...{ left, top },
    })),
  );
  await sharp({
    create: {
      ...{ width: ENGINES.length * CELL.width, height: kinds.length * CELL.height },
      ...{ channels: 3, background: '#c026d3' },
    },
  })
    .composite(drawn)
    .png()
    .toFile(join(PICTURES, `sheet-${variant}.png`));
};
