/** The page's side of the stream with the real receiver: every byte arrives over an unreliable connection. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { err, failure } from '../../src/api/errors.ts';
import { systemClock, systemRandom } from '../../src/engine/node-ports.ts';
import { sendFile, type WriteSlice } from '../../src/ipc/client/file-sender.ts';
import type { Transport } from '../../src/ipc/client/transport.ts';
import { createFileReceiver } from '../../src/ipc/host/file-receiver.ts';
import { createFileTokens } from '../../src/ipc/host/file-tokens.ts';
import { SLICE_BYTES } from '../../src/ipc/protocol/preload-api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const spoolDir = temporaryFolder('client-intake');
const sources = createFileTokens({ random: systemRandom });
const intake = await createFileReceiver({ clock: systemClock, random: systemRandom, spoolDir, sources });

const answers = {
  'intake.open': intake.open,
  'intake.state': ({ id }: { id: never }) => intake.state(id),
  'intake.finish': ({ id, sha256 }: { id: never; sha256: never }) => intake.finish(id, sha256),
  'intake.abandon': ({ id }: { id: never }) => intake.abandon(id).then(() => ({ ok: true, value: {} })),
};
const transport = {
  call: async (command: keyof typeof answers, input: never) => answers[command](input),
  on: () => () => {},
} as unknown as Transport;

/** What the browser does with a slice. */
const receive: WriteSlice = async (id, offset, slice) =>
  intake.write(id, offset, new Uint8Array(await slice.arrayBuffer()));

const lost = err(failure('APP_FAILED', 'lost'));
const never = new AbortController().signal;

it.each([
  ['a file that is read at once', 3],
  ['a larger one', 4],
])('sends every byte of %s and reports the progress, also when slices or their replies are lost', async (_, slices) => {
  const bytes = randomBytes(slices * SLICE_BYTES + 17);
  let calls = 0;
  const flaky: WriteSlice = async (id, offset, slice) => {
    calls += 1;
    if (calls === 2) return lost;
    const written = await receive(id, offset, slice, never);
    return calls === 4 ? lost : written;
  };
  const progress: number[] = [];
  const offered = await sendFile(
    new File([bytes], 'a.mp4'),
    'file',
    transport,
    flaky,
    (sent) => progress.push(sent),
    never,
  );
  if (!offered.ok) throw new Error(offered.error.detail);
  const [file] = sources.take([offered.value]) ?? [];
  expect(readFileSync(file?.source.path ?? '').equals(bytes)).toBe(true);
  const whole = Array.from({ length: slices }, (_, index) => (index + 1) * SLICE_BYTES);
  expect(progress).toEqual([...whole, bytes.length]);
});

it('stops when it is cancelled, and leaves no file on the disk', async () => {
  const taken = new AbortController();
  const write: WriteSlice = async (id, offset, slice) => {
    taken.abort();
    return receive(id, offset, slice, never);
  };
  const file = new File([randomBytes(2 * SLICE_BYTES)], 'a.mp4');
  const offered = await sendFile(file, 'file', transport, write, () => {}, taken.signal);
  expect(offered).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
});

it('reports a file that became unreadable while it was read', async () => {
  const file = new File([randomBytes(SLICE_BYTES)], 'a.mp4');
  file.slice = () => ({ size: file.size, arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }) as never;
  const offered = await sendFile(
    file,
    'file',
    transport,
    async () => lost,
    () => {},
    never,
  );
  expect(offered).toMatchObject({ ok: false, error: { code: 'SOURCE_CHANGED' } });
});

it('stops immediately where the host refuses', async () => {
  const refused = err(failure('DISK_FULL', 'full'));
  const file = new File([randomBytes(10)], 'a.mp4');
  expect(
    await sendFile(
      file,
      'file',
      transport,
      async () => refused,
      () => {},
      never,
    ),
  ).toEqual(refused);
});
