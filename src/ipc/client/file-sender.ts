/**
 * Streams the bytes of a file from the page to the host. Returns a token, by which later commands name the file, only
 * if every byte arrived as it was read.
 */
import { createSHA256 } from 'hash-wasm';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { IntakeId, Sha256, SourceToken } from '../../api/ids.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import { SLICE_BYTES } from '../protocol/preload-api.ts';
import type { Transport } from './transport.ts';

/**
 * Sends one slice: over HTTP in a browser, over IPC in Electron. A blob, because a browser sends its bytes without
 * copying them through the page.
 */
export type WriteSlice = (
  id: IntakeId,
  offset: number,
  slice: Blob,
  signal: AbortSignal,
) => Promise<Result<{ readonly receivedBytes: number }>>;

/**
 * Files up to this size are hashed in one piece by the browser's own SHA-256: ten times as fast.
 */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes hashed per step; about two milliseconds, so that the page keeps rendering. */
const HASH_STEP_BYTES = 512 * 1024;
/** Pauses before each retry of a slice; their sum is how long the sender waits for a lost host. */
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000, 8_000] as const;

const CANCELLED = failure('CANCELLED', 'The file was removed before it was read.');
const CHANGED = failure('SOURCE_CHANGED', 'The file changed or became unreadable while it was read. Add it again.');

/**
 * Yields to rendering and input. Uses a message, because browsers throttle timers of background pages to one per
 * second.
 */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      unfollow();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const unfollow = onAbort(signal, wake);
  });

/** The bytes, or null when the file has changed since it was dropped. */
const read = async (blob: Blob): Promise<ArrayBuffer | null> => {
  const buffer = await blob.arrayBuffer().catch(() => null);
  return buffer?.byteLength === blob.size ? buffer : null;
};

/** SHA-256 of a file, computed while its slices are sent. */
interface Hashing {
  /** Hashes the next slice; false when it cannot be read. Resolves when the next one may follow. */
  add(slice: Blob): Promise<boolean>;
  /** In hex; only after all slices were added. */
  digest(): Promise<Sha256>;
}

const hexOf = (bytes: ArrayBuffer): Sha256 =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('') as string as Sha256;

const hashAtOnce = (file: File): Hashing => {
  const bytes = read(file.slice(0, file.size));
  const digested = bytes.then((buffer) => crypto.subtle.digest('SHA-256', buffer ?? new ArrayBuffer(0)));
  return {
    add: async () => (await bytes) !== null,
    digest: async () => hexOf(await digested),
  };
};

const hashBySlices = async (): Promise<Hashing> => {
  const hasher = await createSHA256();
  hasher.init();
  return {
    async add(slice) {
      const buffer = await read(slice);
      if (!buffer) return false;
      for (let at = 0; at < buffer.byteLength; at += HASH_STEP_BYTES) {
        hasher.update(new Uint8Array(buffer, at, Math.min(HASH_STEP_BYTES, buffer.byteLength - at)));
        await breathe();
      }
      return true;
    },
    digest: async () => hasher.digest('hex') as string as Sha256,
  };
};

/** A lost host is worth a retry; an error that the host returned is final. */
const isPassing = ({ code }: Failure): boolean => code === 'APP_FAILED';

/** `kind` folder: the file is a bundle of a folder (common/folder/bundle-format.ts). */
export const sendFile = async (
  file: File,
  kind: 'file' | 'folder',
  transport: Transport,
  writeSlice: WriteSlice,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Result<SourceToken>> => {
  const opened = await transport.call('intake.open', { name: file.name || 'untitled', size: file.size, kind });
  if (!opened.ok) return opened;
  const { id } = opened.value;
  const done = await streamTo(id, file, transport, writeSlice, onProgress, signal);
  if (!done.ok) await transport.call('intake.abandon', { id });
  return done;
};

const streamTo = async (
  id: IntakeId,
  file: File,
  transport: Transport,
  writeSlice: WriteSlice,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<Result<SourceToken>> => {
  const hashing = file.size <= WHOLE_BYTES_MAX ? hashAtOnce(file) : await hashBySlices();

  /** Sends one slice until the host has it; after each error asks how much has arrived. */
  const send = async (offset: number, slice: Blob, hashed: Promise<boolean>): Promise<Result<void>> => {
    const end = offset + slice.size;
    for (let tries = 0; ; tries += 1) {
      const sent = await writeSlice(id, offset, slice, signal);
      if (sent.ok && sent.value.receivedBytes === end) return ok(undefined);
      if (signal.aborted) return err(CANCELLED);
      // A browser reports an unreadable file as a lost connection.
      if (!(await hashed)) return err(CHANGED);
      const pause = RETRY_MS[tries];
      if (!sent.ok && !isPassing(sent.error)) return sent;
      if (pause === undefined) return sent.ok ? err(CHANGED) : sent;
      await sleep(pause, signal);
      const state = await transport.call('intake.state', { id });
      if (state.ok && state.value.receivedBytes === end) return ok(undefined);
      if (!state.ok && !isPassing(state.error)) return state;
      if (state.ok && state.value.receivedBytes !== offset) return err(CHANGED);
    }
  };

  for (let offset = 0; offset < file.size; offset += SLICE_BYTES) {
    if (signal.aborted) return err(CANCELLED);
    const slice = file.slice(offset, offset + SLICE_BYTES);
    const hashed = hashing.add(slice);
    const [isRead, sent] = await Promise.all([hashed, send(offset, slice, hashed)]);
    if (!isRead) return err(CHANGED);
    if (!sent.ok) return sent;
    onProgress(offset + slice.size);
  }
  const sha256 = await hashing.digest();
  for (let tries = 0; ; tries += 1) {
    if (signal.aborted) return err(CANCELLED);
    const finished = await transport.call('intake.finish', { id, sha256 });
    if (finished.ok) return ok(finished.value.token);
    const pause = RETRY_MS[tries];
    if (!isPassing(finished.error) || pause === undefined) return finished;
    await sleep(pause, signal);
  }
};
