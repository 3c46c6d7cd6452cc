/**
 * Hiding planted secrets in pictures of screens, judged by the app's own recognition, Debian's tesseract and zbar. A part
 * of the corpus; `npm run test:secrets` has all of it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { systemClock, systemRandom } from '../../../src/engine/node-ports.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { createRedact } from '../../../src/engine/vision/redact-picture.ts';
import { createVisionProcessClient } from '../../../src/engine/vision/vision-process-client.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { itWith } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { drawSecretPicture } from '../../support/vision/draw-secret-pictures.ts';
import { hitsOf, readByTesseract, readByZbar, tells, wrongPixels } from '../../support/vision/redaction-measures.ts';
import { makeSecretCorpus } from '../../support/vision/secret-corpus.ts';

/** It only ends what hangs: the vision process yields to all other processes of a busy machine. */
const LONGEST_MS = 1_200_000;
const folder = temporaryFolder('redaction');
const never = new AbortController().signal;
const client = { clock: systemClock, openSource, profileDir: folder, environment: {}, timeoutMs: LONGEST_MS };
const vision = createVisionProcessClient(client);
const redact = createRedact({ vision, spoolDir: folder, random: systemRandom });
afterAll(() => vision.close());

/** At one device pixel each: a mail, and a table with a QR code. */
const PICTURES = makeSecretCorpus(3).filter((_, index) => index !== 1);

itWith('programs of Linux')(
  'hides planted secrets so that no program reads them, leaves decoys, and changes no other pixel',
  async () => {
    const browser = await openBrowser();
    const [missed, wrong]: [string[], string[]] = [[], []];
    let planted = 0;
    for (const [index, picture] of PICTURES.entries()) {
      const drawn = await drawSecretPicture(browser, picture);
      const [path, out] = [join(folder, `${index}.png`), join(folder, `${index}-out.png`)];
      writeFileSync(path, drawn.png);
      const result = await redact({ path, out }, never);
      if (!result.ok) throw new Error(result.error.detail);
      const { found } = result.value;
      const { isFound, wrongBoxes } = hitsOf(picture, drawn, found);
      wrong.push(...wrongBoxes.map(({ kind, x, y }) => `${picture.name}: ${kind} at ${x},${y}`));
      expect(await wrongPixels(path, out, found), picture.name).toEqual({ outside: 0, inside: 0 });
      const again = await vision.readFile(out, {}, never);
      if (!again.ok) throw new Error(again.error.detail);
      const texts = [again.value.text, await readByTesseract(out), await readByZbar(out)];
      for (const [at, { value }] of picture.secrets.entries()) {
        planted += 1;
        if (!isFound[at]) missed.push(value);
        else for (const text of texts) expect(tells(text, value), `${picture.name}: ${value}`).toBe(false);
      }
    }
    await browser.close();
    expect(planted).toBe(13);
    expect(missed.length, missed.join(' ')).toBeLessThanOrEqual(planted * 0.03);
    expect(wrong.length, wrong.join(' ')).toBeLessThanOrEqual(planted * 0.1);
  },
  LONGEST_MS,
);
