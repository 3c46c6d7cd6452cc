/** A profile whose library holds many published items of every kind, each picture and video with its small picture. */
import { copyFileSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type ContentType, VISIBILITIES } from '../../src/api/content.ts';
import type { AccountId, ItemId } from '../../src/api/ids.ts';
import { createLibrary, type Library } from '../../src/engine/library/library-store.ts';
import { systemClock } from '../../src/engine/node-ports.ts';
import { openProfile } from '../../src/engine/profile/open-profile.ts';
import { itemId, makeContent, NOON } from '../support/window/app-state.ts';

const WORDS = [
  ...['visitors', 'november', 'release', 'notes', 'parser', 'dashboard', 'meeting', 'invoice', 'draft', 'design'],
  ...['northern', 'lights', 'снимок', 'экрана', 'отчёт', 'встреча', 'answer', 'import', 'script', 'window'],
];
/** The library of a daily user: eight of ten items are pictures or videos, which are the most expensive for the page. */
const KINDS: readonly ContentType[] = (['IMAGE', 'PASTE', 'VIDEO', 'FOLDER'] as const).flatMap((kind) =>
  Array<ContentType>(kind === 'IMAGE' ? 7 : 1).fill(kind),
);
/** So many different pictures are enough for a browser to have to decode each that is in view. */
const PICTURES = 64;
const STEP_MS = 611_000;

const word = (seed: number): string => WORDS[seed % WORDS.length] ?? '';

/** Three words and a number; each word is in an eighth of the titles or so. */
const titleOf = (number: number): string =>
  `${word(number)} ${word(number * 7 + 3)} ${word(Math.floor(number / 20) + 5)} ${number}`;

const drawThumbnails = async (folder: string, count: number): Promise<void> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 0; number < count; number += 1) {
    const file = join(folder, `${itemId(number)}.webp`);
    if (number >= PICTURES) {
      copyOnce(join(folder, `${itemId(number % PICTURES)}.webp`), file);
      continue;
    }
    const hue = (number * 47) % 360;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="hsl(${hue} 55% 78%)"/><circle cx="104" cy="72" r="36" fill="#fff"/><path d="M0 200 120 110l68 50 44-30 88 70z" fill="hsl(${hue} 45% 45%)"/></svg>`;
    await sharp(Buffer.from(svg)).webp({ quality: 80 }).toFile(file);
  }
};

const copyOnce = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch {
    // File systems without links.
    copyFileSync(from, to);
  }
};

/** Fills a new profile; `measure` is given its library before it is closed. */
export const fillProfile = async (
  profileDir: string,
  count: number,
  measure: (library: Library) => void,
): Promise<void> => {
  const opened = openProfile(profileDir, systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const { database, close } = opened.value;
  const library = createLibrary(opened.value);
  database.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const content = makeContent(number, {
        title: titleOf(number),
        tags: number % 3 === 0 ? [word(number + 11)] : [],
        type: KINDS[number % KINDS.length] ?? 'IMAGE',
        visibility: VISIBILITIES[number % VISIBILITIES.length] ?? 'unlisted',
        size: 1_000 + ((number * 7_919) % 90_000_000),
        createdAt: new Date(NOON - number * STEP_MS).toISOString(),
      });
      const linkedAt = NOON - number * STEP_MS;
      const id: ItemId = itemId(number);
      library.add({ id, accountId: 'account-1' as AccountId, name: `${titleOf(number)}.png`, linkedAt, content });
    }
  })();
  measure(library);
  close();
  await drawThumbnails(join(profileDir, 'thumbnails'), count);
};
