/** A page's files at the real receiver: of a file that is not queued, no copy stays in the profile. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { err, type Failure, failure, ok, type Result } from '../../src/api/errors.ts';
import type { ItemId, SourceToken } from '../../src/api/ids.ts';
import type { NewItem } from '../../src/engine/engine.ts';
import { systemClock, systemRandom } from '../../src/engine/node-ports.ts';
import { sendFile, type WriteSlice } from '../../src/ipc/client/file-sender.ts';
import type { PageTransport, Transport } from '../../src/ipc/client/transport.ts';
import { createFileReceiver, type FileReceiver } from '../../src/ipc/host/file-receiver.ts';
import { createFileTokens, type FileTokens } from '../../src/ipc/host/file-tokens.ts';
import type { HandlerDeps } from '../../src/ipc/host/handlers/handler-types.ts';
import { fileHandlers } from '../../src/ipc/host/handlers/incoming-files.ts';
import { createPendingFiles, type PendingFiles } from '../../src/renderer/stores/file-input/pending-files.ts';
import { createPendingFolders } from '../../src/renderer/stores/file-input/pending-folders.ts';
import { createRouterStore } from '../../src/renderer/stores/router-store.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { itemId } from '../support/window/app-state.ts';

const root = temporaryFolder('pending-files');
const before = { width: 1920, height: 1080, fps: 60, seconds: 9, hasAudio: true, size: 45_000_000 };
const encoded = {
  kind: 'video',
  video: { way: 'encode', before, after: before, secondsNeeded: 40, reasons: ['SIZE'], losses: [] },
};
const FULL = failure('DISK_FULL', 'full');

let spoolDir = '';
let sources: FileTokens;
let intake: FileReceiver;
let transport: PageTransport;
let pendingFiles: PendingFiles;
/** Commands so far. */
let called: string[];
/** Why the queue takes nothing, if it does not. */
let refusal: Failure | null;
let queued: string[];
/** Runs before the host gets a command. */
let onCall: (command: string) => void;

const spooled = () => readdirSync(spoolDir);
const offers = () => pendingFiles.store.getState().pending;
const onlyId = () => offers()[0]?.id ?? 0;
const video = () => new File(['frames'], 'clip.mp4', { type: 'video/mp4' });
const picture = () => new File(['pixels'], 'a.png', { type: 'image/png' });

beforeEach(async () => {
  spoolDir = join(root, systemRandom.uuid());
  mkdirSync(spoolDir);
  [called, refusal, queued, onCall] = [[], null, [], () => {}];
  sources = createFileTokens({ random: systemRandom });
  intake = await createFileReceiver({ clock: systemClock, random: systemRandom, spoolDir, sources });
  const add = async (files: readonly NewItem[]): Promise<Result<ItemId[]>> => {
    if (refusal) return err(refusal);
    queued.push(...files.map(({ source }) => source.path));
    return ok([itemId(queued.length)]);
  };
  const engine = {
    queue: { add },
    note: { addFiles: async () => (refusal ? err(refusal) : ok([itemId(1)])) },
    fit: { previewPath: async () => ok(encoded) },
  };
  const handlers = fileHandlers({ engine, sources, intake } as unknown as HandlerDeps) as unknown as Record<
    string,
    (input: unknown, signal: AbortSignal) => Promise<Result<unknown>>
  >;
  const commands = {
    call: async (command: string, input: unknown) => {
      called.push(command);
      onCall(command);
      const handler = handlers[command];
      return handler ? await handler(input, new AbortController().signal) : err(failure('COMMAND_INVALID', command));
    },
    on: () => () => {},
  } as unknown as Transport;
  const write: WriteSlice = async (id, offset, slice) =>
    intake.write(id, offset, new Uint8Array(await slice.arrayBuffer()));
  transport = {
    ...commands,
    offer: (file, onProgress, signal) => sendFile(file, 'file', commands, write, onProgress, signal),
    offerFolder: (bundle, onProgress, signal) => sendFile(bundle, 'folder', commands, write, onProgress, signal),
  } as PageTransport;
  pendingFiles = createPendingFiles({ transport, asksBeforeFit: () => true, usualFit: () => 'balanced' });
});

const failed = (code: string) =>
  eventually(() => expect(offers()).toMatchObject([{ state: 'failed', failure: { code } }]));

it('a video that is cancelled while its question is open leaves no copy', async () => {
  pendingFiles.add([video()]);
  await eventually(() => expect(offers()).toMatchObject([{ state: 'asking' }]));
  expect(spooled()).toHaveLength(1);
  pendingFiles.cancel(onlyId());
  await eventually(() => expect(spooled()).toEqual([]));
  expect(offers()).toEqual([]);
});

it.each(['intake.finish', 'fit.preview'])('a file that is cancelled during %s leaves no copy', async (command) => {
  onCall = (one) => {
    if (one === command) pendingFiles.cancel(onlyId());
  };
  pendingFiles.add([video()]);
  await eventually(() => expect(called).toContain('intake.release'));
  await eventually(() => expect(spooled()).toEqual([]));
  expect(queued).toEqual([]);
});

it('a file that is cancelled while the queue refuses it leaves no copy', async () => {
  refusal = FULL;
  onCall = (command) => {
    if (command === 'queue.add') pendingFiles.cancel(onlyId());
  };
  pendingFiles.add([picture()]);
  await eventually(() => expect(called).toContain('intake.release'));
  await eventually(() => expect(spooled()).toEqual([]));
});

it('a file whose hand-over breaks off is shown as failed, and does not hold back the others', async () => {
  const { offer } = transport;
  transport.offer = (file, ...rest) => (file.size === 6 ? Promise.reject(new Error('broken')) : offer(file, ...rest));
  pendingFiles.add([picture(), picture(), new File(['fine'], 'b.png', { type: 'image/png' })]);
  await eventually(() => expect(queued).toHaveLength(1));
  await eventually(() =>
    expect(offers()).toMatchObject(Array(2).fill({ name: 'a.png', state: 'failed', failure: { code: 'APP_FAILED' } })),
  );
});

it('a file that looks like a secret is refused before anything of it is sent', async () => {
  const key = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nb3BlbnNzaA==\n'].join(' ');
  pendingFiles.add([new File([key], 'notes.txt', { type: 'text/plain' })]);
  await failed('SOURCE_SECRET');
  expect(called).toEqual([]);
  expect(spooled()).toEqual([]);
});

it.each([1_000, 65_520, 300_000, 800_003 - 100])(
  'a text file with a private key after %d bytes is refused',
  async (before) => {
    const key = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nb3BlbnNzaA==\n'].join(' ');
    pendingFiles.add([new File(['log\n'.repeat(before / 4), key], 'server.log', { type: 'text/plain' })]);
    await eventually(() => expect(called.length > 0 || offers()[0]?.state === 'failed').toBe(true));
    expect(called).toEqual([]);
    expect(offers()).toMatchObject([{ failure: { code: 'SOURCE_SECRET' } }]);
  },
);

it('a file that the queue refused is tried again with the copy that the host has', async () => {
  refusal = FULL;
  pendingFiles.add([picture()]);
  await failed('DISK_FULL');
  for (const tries of [2, 3]) {
    pendingFiles.retry(onlyId());
    await eventually(() => expect(called.filter((command) => command === 'queue.add')).toHaveLength(tries));
    await failed('DISK_FULL');
    expect(spooled()).toHaveLength(1);
  }
  expect(offers()).toMatchObject([{ sentBytes: picture().size }]);
  refusal = null;
  pendingFiles.retry(onlyId());
  await eventually(() => expect(offers()).toEqual([]));
  expect(queued).toEqual(spooled().map((name) => join(spoolDir, name)));
  expect(called).not.toContain('intake.release');
});

it('a file whose copy the host has no more is sent again by the next retry', async () => {
  refusal = FULL;
  pendingFiles.add([picture()]);
  await failed('DISK_FULL');
  await sources.close();
  refusal = null;
  pendingFiles.retry(onlyId());
  await failed('COMMAND_INVALID');
  pendingFiles.retry(onlyId());
  await eventually(() => expect(offers()).toEqual([]));
  expect(queued).toEqual(spooled().map((name) => join(spoolDir, name)));
});

it('a refused file that the user removes leaves no copy', async () => {
  refusal = FULL;
  pendingFiles.add([new File(['words'], 'a.txt', { type: 'text/plain' })]);
  await failed('DISK_FULL');
  pendingFiles.cancel(onlyId());
  await eventually(() => expect(spooled()).toEqual([]));
});

it('a text that became a note leaves no copy of its file', async () => {
  pendingFiles.add([new File(['words'], 'a.txt', { type: 'text/plain' })]);
  await eventually(() => expect(offers()).toEqual([]));
  expect(called.at(-1)).toBe('note.addFiles');
  expect(spooled()).toEqual([]);
});

it('a file of the user that is cancelled stays where it is, and its token names nothing more', async () => {
  const path = join(spoolDir, 'holiday.mp4');
  writeFileSync(path, 'frames');
  const token = sources.offer({ source: { owner: 'user', path }, name: 'holiday.mp4' });
  const named: PageTransport = { ...transport, offer: async () => ok(token) };
  pendingFiles = createPendingFiles({ transport: named, asksBeforeFit: () => true, usualFit: () => 'balanced' });
  pendingFiles.add([video()]);
  await eventually(() => expect(offers()).toMatchObject([{ state: 'asking' }]));
  pendingFiles.cancel(onlyId());
  await eventually(() => expect(sources.look(token)).toBeNull());
  expect(spooled()).toEqual(['holiday.mp4']);
});

it('a folder of the page that the queue refuses, or whose sharing is stopped, leaves no bundle', async () => {
  const folders = createPendingFolders({
    transport,
    toasts: { show: () => {} },
    view: createRouterStore(),
    now: () => 0,
  } as unknown as Parameters<typeof createPendingFolders>[0]);
  const folder = () => folders.store.getState().folders[0];
  const list = async () => [{ name: 'a.txt', kind: 'file' as const }];
  folders.addOfPage([{ name: 'parser', list, open: async () => new File(['words'], 'a.txt') }]);
  await eventually(() => expect(folder()).toMatchObject({ state: 'ready', mayMissRules: true }));
  const token = folder()?.token as SourceToken;
  refusal = FULL;
  await folders.share(token);
  expect(folder()).toMatchObject({ state: 'ready', failure: { code: 'DISK_FULL' } });
  await eventually(() => expect(spooled()).toEqual([]));
  for (const command of ['intake.finish', 'queue.add']) {
    onCall = (one) => {
      if (one === command) folders.stopSharing(token);
    };
    await folders.share(token);
    await eventually(() => expect(spooled()).toEqual([]));
  }
  expect(called.filter((command) => command === 'intake.release')).toHaveLength(3);
  expect(queued).toEqual([]);
});
