/** `linkshot redact` and `upload --redact` with the real recognition: what looks secret is not in the result. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { wrongPixels } from '../support/vision/redaction-measures.ts';
import { drawQrCode, drawText } from '../support/vision/text-pictures.ts';

const root = temporaryFolder('cli-redact');
const profile = join(root, 'profile');
const file = join(root, 'shot.jpg');
const EMAIL = 'anna.petrova@mail.example.com';
const run = (words: readonly string[], input?: Buffer) =>
  performCommand([...words, '--profile', profile], { LINKSHOT_TESSDATA: root }, input);
const textOf = async (path: string): Promise<string> => (await run(['text', path])).stdout;
const written = (name: string, bytes: Buffer | string): string => {
  const path = join(root, name);
  writeFileSync(path, bytes);
  return path;
};

beforeAll(async () => {
  const lines = ['Order 1284 is ready', `Contact ${EMAIL}`, 'Server 203.0.113.17', 'Password: Tiger_42!'];
  const text = await drawText({ lines, font: 'DejaVu Sans', size: 18, theme: 'light', scale: 1 });
  const code = await drawQrCode('WIFI:T:WPA;S:home;P:falcon77;;');
  await sharp({ create: { width: 560, height: 420, channels: 3, background: 'white' } })
    .composite([
      { input: text, left: 20, top: 20 },
      { input: code, left: 180, top: 190 },
    ])
    .withExif({ IFD0: { ImageDescription: EMAIL } })
    .jpeg({ quality: 95 })
    .toFile(file);
});

it('hides all that looks secret in a new file, changes no other pixel, and keeps no metadata', async () => {
  const out = join(root, 'clean.png');
  const before = readFileSync(file);
  const { code, json, stderr } = await run(['redact', file, '--out', out, '--json']);
  const [answer] = json() as readonly [
    { found: { kind: string; x: number; y: number; width: number; height: number; confidence: number }[]; out: string },
  ];
  expect({ code, out: answer.out }, stderr).toEqual({ code: 0, out });
  expect(answer.found.map(({ kind }) => kind).toSorted()).toEqual(['email', 'ip', 'password', 'password']);
  for (const { confidence } of answer.found) expect(confidence).toBeGreaterThan(0);
  expect(await wrongPixels(file, out, answer.found)).toEqual({ outside: 0, inside: 0 });
  expect(readFileSync(file)).toEqual(before);
  expect(readFileSync(out).includes(EMAIL)).toBe(false);
  expect(await sharp(out).metadata()).toMatchObject({ format: 'png', width: 560, height: 420 });
  const text = await textOf(out);
  expect(text).toContain('Order 1284 is ready');
  for (const secret of [EMAIL, '203.0.113.17', 'Tiger', 'falcon77']) expect(text).not.toContain(secret);
  expect(readdirSync(join(profile, 'spool'))).toEqual([]);
});

it('lists what it would hide without saving it, only of the kinds that are asked for, also from the standard input', async () => {
  const { code, stdout } = await run(['redact', '-', '--dry-run', '--kinds', 'email,card'], readFileSync(file));
  expect(stdout).toMatch(/^1 secret found: 1 email\.\nemail +\d+,\d+,\d+,\d+\n$/);
  expect(code).toBe(0);
  expect(readdirSync(join(profile, 'spool'))).toEqual([]);
});

it('saves a picture without secrets too, and says so', async () => {
  const blank = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#33669980' } })
    .png()
    .toBuffer();
  const out = join(root, 'blank-out.png');
  const { code, stdout } = await run(['redact', written('blank.png', blank), '--out', out]);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing in the image looks secret.'),
  });
  expect(await wrongPixels(blank, out, [])).toEqual({ outside: 0, inside: 0 });
});

it('keeps the depth and the colour profile of a picture', async () => {
  const deep = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#336699' } })
    .toColourspace('rgb16')
    .withIccProfile('p3')
    .png()
    .toBuffer();
  const out = join(root, 'deep-out.png');
  expect(await run(['redact', written('deep.png', deep), '--out', out])).toMatchObject({ code: 0 });
  const [before, after] = [await sharp(deep).metadata(), await sharp(out).metadata()];
  expect(after).toMatchObject({ depth: before.depth, icc: before.icc });
  const raw = (picture: string | Buffer) =>
    sharp(picture, { ignoreIcc: true }).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
  expect(await raw(out)).toEqual(await raw(deep));
});

it('says what is wrong with the picture', async () => {
  const whole = readFileSync(file);
  const frames = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const moving = await sharp([frames, await sharp(frames).negate().png().toBuffer()], { join: { animated: true } })
    .gif()
    .toBuffer();
  const large = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  for (const [path, said] of [
    [join(root, 'nothing.png'), 'no longer exists'],
    [written('empty.png', ''), 'empty'],
    [written('half.jpg', whole.subarray(0, whole.length / 2)), 'damaged'],
    [written('words.png', 'only words'), 'damaged'],
    [written('moving.gif', moving), 'still image'],
    [written('large.png', large), '64 megapixels'],
    [root, 'folder'],
  ] as const) {
    const out = join(root, 'never.png');
    expect(await run(['redact', path, '--out', out]), path).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(said),
    });
    expect(existsSync(out)).toBe(false);
  }
});

it('says what is wrong with the command and the new file, and replaces nothing', async () => {
  for (const [words, said] of [
    [['redact', file], '--out'],
    [['redact', file, '--out', join(root, 'a.jpg')], '.png'],
    [['redact', file, '--dry-run', '--kinds', 'email,names'], 'names'],
    [['upload', file, '--redact', '--dry-run'], 'linkshot redact FILE --dry-run'],
    [['upload', '-', '--dry-run'], 'needs files'],
  ] as const)
    expect(await run(words), words.join(' ')).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  const kept = written('kept.png', 'kept');
  const exists = await run(['redact', file, '--out', kept]);
  expect(exists).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
  expect(readFileSync(kept, 'utf8')).toBe('kept');
  const nowhere = await run(['redact', file, '--out', join(root, 'no', 'folder.png')]);
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
});

it('sends only the redacted picture, and says how many secrets it hid', async () => {
  const server = await startServer();
  const { apiKey } = await server.user();
  mkdirSync(join(root, 'sent'));
  const send = (...words: readonly string[]) =>
    performCommand(['upload', ...words, '--redact', '--profile', join(root, 'sent'), '--server', server.url], {
      LINKSHOT_KEY: apiKey,
      LINKSHOT_TESSDATA: root,
    });
  const { code, json, stderr } = await send(file, '--json');
  const [item] = json() as readonly [{ id: string; name: string; hidden: number }];
  expect({ code, ...item }, stderr).toMatchObject({ code: 0, name: file, hidden: 4 });
  const sent = await fetch(`${server.url}/api/media/${item.id}`, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await textOf(written('sent.png', Buffer.from(await sent.arrayBuffer())));
  expect(text).toContain('Order 1284');
  expect(text).not.toContain(EMAIL);
  const refused = await send(written('movie.mp4', 'no picture at all'));
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  // The service gets this name, which tells nothing about the user's folders.
  const queued = await performCommand(['queue', '--json', '--profile', join(root, 'sent')]);
  expect(queued.json()).toMatchObject([{ name: 'shot.png' }]);
  await server.stop();
});
