/** A file that a page streams arrives completely or not at all, and only its owner can read it. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IntakeId, Sha256 } from '../../src/api/ids.ts';
import { systemClock, systemRandom } from '../../src/engine/node-ports.ts';
import { createFileReceiver, type FileReceiver } from '../../src/ipc/host/file-receiver.ts';
import { createFileTokens, type FileTokens } from '../../src/ipc/host/file-tokens.ts';
import { SLICE_BYTES } from '../../src/ipc/protocol/preload-api.ts';
import { shownMode } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('intake');
let spoolDir = '';
let sources: FileTokens;
let intake: FileReceiver;
let now = 0;

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex') as string as Sha256;
const clock = { ...systemClock, monotonic: () => now };

const open = async (name: string, size: number): Promise<IntakeId> => {
  const opened = await intake.open({ name, size });
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value.id;
};

beforeEach(async () => {
  now = 0;
  spoolDir = join(root, systemRandom.uuid());
  mkdirSync(spoolDir);
  sources = createFileTokens({ random: systemRandom });
  intake = await createFileReceiver({ clock, random: systemRandom, spoolDir, sources });
});
// A file that is still arriving is open.
afterEach(() => intake.close());

describe('intake', () => {
  it('gives a token for a file of several slices, whose bytes are on the disk with mode 0600', async () => {
    const bytes = randomBytes(SLICE_BYTES + 1234);
    const id = await open('clip.mp4', bytes.length);
    expect(await intake.write(id, 0, bytes.subarray(0, SLICE_BYTES))).toEqual({
      ok: true,
      value: { receivedBytes: SLICE_BYTES },
    });
    await intake.write(id, SLICE_BYTES, bytes.subarray(SLICE_BYTES));
    const finished = await intake.finish(id, hashOf(bytes));
    if (!finished.ok) throw new Error(finished.error.detail);
    const [file] = sources.take([finished.value.token]) ?? [];
    expect(file?.name).toBe('clip.mp4');
    expect(file?.source.owner).toBe('spool');
    const path = file?.source.path ?? '';
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(shownMode(0o600));
  });

  it('gives no token and keeps nothing when the bytes are not those that the page read', async () => {
    const id = await open('a.png', 3);
    await intake.write(id, 0, Buffer.from('abc'));
    const finished = await intake.finish(id, hashOf(Buffer.from('abd')));
    expect(finished).toMatchObject({ ok: false, error: { code: 'SOURCE_CHANGED' } });
    expect(readdirSync(spoolDir)).toEqual([]);
  });

  it('counts a slice once, also when the page repeats it while the first is still being written', async () => {
    const bytes = randomBytes(100_000);
    const id = await open('a.png', bytes.length);
    const answers = await Promise.all([intake.write(id, 0, bytes), intake.write(id, 0, bytes)]);
    expect(answers.map((answer) => answer.ok && answer.value.receivedBytes)).toEqual([bytes.length, bytes.length]);
    expect(await intake.finish(id, hashOf(bytes))).toMatchObject({ ok: true });
  });

  it('answers a slice that is not next with how much has arrived', async () => {
    const id = await open('a.png', 10);
    expect(await intake.write(id, 5, Buffer.from('12345'))).toEqual({ ok: true, value: { receivedBytes: 0 } });
    expect(intake.state(id)).toEqual({ ok: true, value: { receivedBytes: 0 } });
  });

  it('refuses more bytes than were announced', async () => {
    const id = await open('a.png', 2);
    expect(await intake.write(id, 0, Buffer.from('123'))).toMatchObject({ ok: false });
  });

  it('answers finish again with the same token, because the first answer may have been lost', async () => {
    const id = await open('a.png', 1);
    await intake.write(id, 0, Buffer.from('a'));
    const first = await intake.finish(id, hashOf(Buffer.from('a')));
    expect(await intake.finish(id, hashOf(Buffer.from('a')))).toEqual(first);
  });

  it('answers everybody who asks for the end of a file while it is being stored with its only token', async () => {
    const id = await open('a.png', 1);
    await intake.write(id, 0, Buffer.from('a'));
    const ask = () => intake.finish(id, hashOf(Buffer.from('a')));
    const asked = [ask(), ask()];
    // The first answer is lost while the bytes are on their way to the disk.
    await setImmediate();
    const [first, ...others] = await Promise.all([...asked, ask()]);
    expect(first?.ok && sources.look(first.value.token)).toMatchObject({ name: 'a.png' });
    expect(others).toEqual([first, first]);
    expect(readdirSync(spoolDir)).toHaveLength(1);
  });

  it('refuses an empty file and one above 4 GiB', async () => {
    expect(await intake.open({ name: 'a', size: 0 })).toMatchObject({ error: { code: 'SOURCE_EMPTY' } });
    expect(await intake.open({ name: 'a', size: 2 ** 32 + 1 })).toMatchObject({ error: { code: 'UPLOAD_TOO_LARGE' } });
  });

  it('never lets a name lead out of the spool', async () => {
    const id = await open('../../evil.png', 1);
    await intake.write(id, 0, Buffer.from('a'));
    const finished = await intake.finish(id, hashOf(Buffer.from('a')));
    const [file] = finished.ok ? (sources.take([finished.value.token]) ?? []) : [];
    expect(file?.name).toBe('evil.png');
    expect(file?.source.path.startsWith(spoolDir)).toBe(true);
  });

  it('forgets a page that went away, at the next file', async () => {
    const id = await open('a.png', 10);
    now = 16 * 60_000;
    await open('b.png', 10);
    expect(intake.state(id)).toMatchObject({ ok: false });
    expect(readdirSync(spoolDir)).toHaveLength(1);
  });

  it('deletes at its start the files that a killed host was receiving', async () => {
    writeFileSync(join(spoolDir, 'left.part'), 'half');
    await createFileReceiver({ clock, random: systemRandom, spoolDir, sources });
    expect(readdirSync(spoolDir)).toEqual([]);
  });

  it('removes a finished file that its page abandons, because the answer with its token was lost', async () => {
    const id = await open('a.png', 1);
    await intake.write(id, 0, Buffer.from('a'));
    const finished = await intake.finish(id, hashOf(Buffer.from('a')));
    await intake.abandon(id);
    expect(readdirSync(spoolDir)).toEqual([]);
    expect(finished.ok && sources.look(finished.value.token)).toBeNull();
    expect(await intake.finish(id, hashOf(Buffer.from('a')))).toMatchObject({ ok: false });
  });

  it('removes a file that its page abandons, or that the end meets, while it is being stored', async () => {
    for (const end of [intake.abandon, () => intake.close().then(sources.close)]) {
      const id = await open('a.png', 1);
      await intake.write(id, 0, Buffer.from('a'));
      const finishing = intake.finish(id, hashOf(Buffer.from('a')));
      await setImmediate();
      await end(id);
      expect(readdirSync(spoolDir)).toEqual([]);
      await finishing;
      expect(readdirSync(spoolDir)).toEqual([]);
    }
  });

  it('removes at the end the files that were streamed and never added', async () => {
    const id = await open('a.png', 1);
    await intake.write(id, 0, Buffer.from('a'));
    await intake.finish(id, hashOf(Buffer.from('a')));
    await open('b.png', 1);
    await intake.close();
    await sources.close();
    expect(readdirSync(spoolDir)).toEqual([]);
  });
});

describe('source tokens', () => {
  const file = { source: { owner: 'user' as const, path: '/a' }, name: 'a' };

  it('are taken once, and all of them or none', () => {
    const [a, b] = [sources.offer(file), sources.offer(file)];
    expect(sources.take([a, 'src-made-up-by-a-page' as typeof a])).toBeNull();
    expect(sources.take([a, a])).toBeNull();
    expect(sources.take([a, b])).toHaveLength(2);
    expect(sources.take([a])).toBeNull();
  });

  it('are released with the copy in the spool, but never with the file of the user or one that was taken', async () => {
    const [copy, own, taken] = ['copy', 'own', 'taken'].map((name) => join(spoolDir, name)) as [string, string, string];
    for (const path of [copy, own, taken]) writeFileSync(path, 'bytes');
    const offer = (owner: 'spool' | 'user', path: string) => sources.offer({ source: { owner, path }, name: 'a' });
    const tokens = [offer('spool', copy), offer('user', own), offer('spool', taken)] as const;
    sources.take([tokens[2]]);
    for (const token of [...tokens, ...tokens]) await sources.release(token);
    expect(readdirSync(spoolDir).toSorted()).toEqual(['own', 'taken']);
    expect(tokens.map((token) => sources.look(token))).toEqual([null, null, null]);
  });
});
