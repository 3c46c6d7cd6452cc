/** `linkshot text` with the real recognition: prints what a picture shows, and uploads nothing. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { isWindows, unless } from '../support/only-on.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { drawQrCode, drawText } from '../support/vision/text-pictures.ts';

const root = temporaryFolder('cli-text');
const profile = join(root, 'profile');
const file = join(root, 'shot.png');
const run = (words: readonly string[], input?: Buffer) =>
  performCommand(['text', ...words, '--profile', profile], { LINKSHOT_TESSDATA: root }, input);

let picture: Buffer;
beforeAll(async () => {
  const lines = ['Order 1284 is ready', 'Pick it up before noon'];
  const text = await drawText({ lines, font: 'DejaVu Sans', size: 18, theme: 'light', scale: 1 });
  const code = await drawQrCode('https://example.com/o/1284');
  picture = await sharp({ create: { width: 500, height: 360, channels: 3, background: 'white' } })
    .composite([
      { input: text, left: 20, top: 20 },
      { input: code, left: 150, top: 140 },
    ])
    .png()
    .toBuffer();
  writeFileSync(file, picture);
});

it('prints the text and what the codes hold, and how to read Russian', async () => {
  const { code, stdout, stderr } = await run([file]);
  expect(stdout).toContain('Order 1284 is ready\nPick it up before noon\n');
  expect(stdout).toContain('QRCode: https://example.com/o/1284\n');
  expect(stderr).toContain('tesseract-ocr-rus');
  expect(code).toBe(0);
});

it('reads the standard input, answers in JSON and keeps no copy', async () => {
  const { code, json } = await run(['-', '--json', '--language', 'eng'], picture);
  const [answer] = json();
  expect(answer).toMatchObject({
    text: expect.stringContaining('Order 1284 is ready'),
    words: expect.arrayContaining([expect.objectContaining({ text: 'Order', x: expect.any(Number) })]),
    codes: [{ format: 'QRCode', text: 'https://example.com/o/1284' }],
    missing: [],
  });
  expect(code).toBe(0);
  expect(readdirSync(join(profile, 'spool'))).toEqual([]);
});

it('says what is wrong with a file, a missing language and a picture without text', async () => {
  const missing = await run([join(root, 'nothing.png')]);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no longer exists') });
  const language = await run([file, '--language', 'rus']);
  expect(language).toMatchObject({ code: 1, stderr: expect.stringContaining('tesseract-ocr-rus') });
  const blank = join(root, 'blank.png');
  await sharp({ create: { width: 200, height: 100, channels: 3, background: 'white' } })
    .png()
    .toFile(blank);
  const empty = await run([blank]);
  expect(empty).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No text') });
});

describe.skipIf(isWindows)(`of the screen${unless('programs of Linux')}`, () => {
  let screen: XScreen;
  beforeAll(async () => {
    screen = await openXScreen(500, 360);
    const bitmap = join(root, 'shot.xbm');
    await screen.run('convert', file, '-threshold', '50%', bitmap);
    await screen.run('xsetroot', '-bitmap', bitmap, '-fg', 'black', '-bg', 'white');
  });
  afterAll(() => screen.close());
  const onScreen = (...words: readonly string[]) =>
    performCommand([...words, '--profile', profile], { LINKSHOT_TESSDATA: root, DISPLAY: screen.display });

  it('prints what the whole screen, or a part of it, shows, and keeps nothing', async () => {
    const whole = await onScreen('text', '--screen');
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('Order 1284 is ready\n') });
    expect(whole.stdout).toContain('QRCode: https://example.com/o/1284\n');
    const { json } = await onScreen('text', '--region', '0,0,500,120', '--json', '--language', 'eng');
    expect(json()).toMatchObject([{ text: expect.stringContaining('before noon'), codes: [] }]);
    const captured = await onScreen('capture', '--screen', '1', '--text');
    expect(captured).toMatchObject({ code: 0, stdout: whole.stdout });
    expect(readdirSync(join(profile, 'spool'))).toEqual([]);
  });

  it('refuses what does not go together', async () => {
    for (const [words, said] of [
      [['text'], 'Specify an image'],
      [['text', file, '--window'], 'not both'],
      [['text', file, '--screen'], 'not a screen number'],
      [['text', '--screen', '--window'], 'Choose one of'],
      [['capture', '--text', '--one-time'], 'no link is created'],
    ] as const)
      expect(await onScreen(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  it('prints it also where the environment has the password of new links', async () => {
    const environment = { DISPLAY: screen.display, LINKSHOT_PASSWORD: 'of the environment' };
    const words = ['capture', '--region', '0,0,500,120', '--text'];
    const printed = await performCommand([...words, '--profile', profile], environment);
    expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining('before noon') });
    const { code, stderr } = await performCommand([...words, '--password', 'of this line'], environment);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--password cannot be used with --text')]);
    const select = ['capture', '--select', '--json', '--profile', profile];
    expect((await performCommand(select, environment)).json()).toMatchObject([
      { error: { code: 'CAPTURE_UNAVAILABLE' } },
    ]);
  });
});
