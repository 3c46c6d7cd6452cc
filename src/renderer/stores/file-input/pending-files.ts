/**
 * Files that the user has added but that the queue does not have yet. Each is sent and cancelled separately; a text
 * file becomes a note, or is refused if it looks like a secret. A video that must be encoded waits for the user's
 * choice, if the user wants to be asked, without blocking other files.
 */

import { createStore } from 'zustand/vanilla';
import { type Failure, failure, ok, type Result } from '../../../api/errors.ts';
import type { ItemId, SourceToken } from '../../../api/ids.ts';
import { NOTE_MAX_BYTES } from '../../../api/limits.ts';
import { detectTextEncoding } from '../../../base/common/detect-text-encoding.ts';
import { holdsPrivateKey, isSecretName } from '../../../common/folder/detect-secrets.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { FitChoice } from '../../../ipc/protocol/queue-item.ts';
import type { FitPreview } from '../../../ipc/protocol/video-conversion.ts';
import { orAppFailed } from '../or-app-failed.ts';

// Detects text files by their first bytes: text becomes a note unless it is a secret; the queue handles everything
// else.

/** Browsers report `main.ts` as an MPEG stream, so only media types the service accepts are trusted. */
const MEDIA = /^(?:image\/|video\/(?:mp4|webm|quicktime))/;

/** Enough to tell text from binary formats with a text file's name. */
const LOOKED_AT_BYTES = 65_536;

const isText = (bytes: Uint8Array, isComplete: boolean): boolean => {
  if (detectTextEncoding(bytes) !== 'utf-8') return true;
  try {
    // The sample may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isComplete });
    return !text.includes('\0') && !text.startsWith('%PDF-') && !text.startsWith('{\\rtf');
  } catch {
    return false;
  }
};

/** Null: unreadable. */
const bytesOf = (part: Blob): Promise<Uint8Array | null> =>
  part
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer))
    .catch(() => null);

const mayBeText = ({ size, type }: File): boolean => size > 0 && !MEDIA.test(type);

/**
 * `other`: unreadable, a video, or another program's document. `secret`: by the rules that exclude files from shared
 * folders, because a note is readable for everyone with its link.
 */
const kindOfText = async (file: File): Promise<'text' | 'secret' | 'other'> => {
  const bytes = await bytesOf(file.slice(0, LOOKED_AT_BYTES));
  if (!bytes || !isText(bytes, file.size === bytes.length)) return 'other';
  if (isSecretName(file.name)) return 'secret';
  // A longer file is refused by the host.
  const all = file.size > bytes.length && file.size <= NOTE_MAX_BYTES ? await bytesOf(file) : bytes;
  if (!all) return 'other';
  return holdsPrivateKey(all) ? 'secret' : 'text';
};

/** By its bytes, for files whose media type the browser does not know. */
export const isTextFile = async (file: File): Promise<boolean> =>
  mayBeText(file) && (await kindOfText(file)) !== 'other';

/** Handing over reads the disk twice; more concurrency only slows each file down. */
const MAX_CONCURRENT = 2;

/** Preview of a conversion. */
export type Fitting = Exclude<FitPreview, { way: 'pass' | 'refuse' }>;

/** Result of a preset: a converted video, no change, or an error. */
export type FitPreviewState =
  | { readonly is: 'made'; readonly fitting: Fitting }
  | { readonly is: 'same' }
  | { readonly is: 'impossible'; readonly failure: Failure };

/** Conversion presets from small to large, and the clip. */
export const FIT_CHOICES: readonly FitChoice[] = ['smaller', 'balanced', 'sharper', 'clip'];

export interface PendingFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly sentBytes: number;
  /** `looking`: a preview of the conversion is being computed. `asking`: waits for the user's choice. */
  readonly state: 'waiting' | 'sending' | 'looking' | 'asking' | 'failed';
  readonly failure: Failure | null;
  /** Known previews per preset; empty until there is a choice. */
  readonly previews: Readonly<Partial<Record<FitChoice, FitPreviewState>>>;
  /** The selected preset. */
  readonly fit: FitChoice;
}

interface PendingFilesState {
  readonly pending: readonly PendingFile[];
}

interface PendingFilesDeps {
  readonly transport: PageTransport;
  /** Whether the user wants to be asked before a video is converted. */
  readonly asksBeforeFit: () => boolean;
  /** Preset for videos without an explicit choice. */
  readonly usualFit: () => FitChoice;
}

/** The token is no longer valid, or its file cannot be read. */
const isGone = ({ code }: Failure): boolean => code === 'COMMAND_INVALID' || code.startsWith('SOURCE_');

/** Images convert too fast to ask; animated ones count as videos. */
const mayNeedFitting = ({ type }: File): boolean => !type.startsWith('image/') || type === 'image/gif';

export const createPendingFiles = ({ transport, asksBeforeFit, usualFit }: PendingFilesDeps) => {
  const store = createStore<PendingFilesState>(() => ({ pending: [] }));
  const files = new Map<number, File>();
  /** Of files that the host has and the queue does not. */
  const tokens = new Map<number, SourceToken>();
  const running = new Map<number, AbortController>();
  /** Presets chosen before the preview was computed. */
  const decided = new Map<number, FitChoice>();
  let isPreviewing = false;
  let lastId = 0;

  const find = (id: number) => store.getState().pending.find((offer) => offer.id === id);
  const patch = (id: number, change: Partial<PendingFile>): void =>
    store.setState(({ pending }) => ({
      pending: pending.map((offer) => (offer.id === id ? { ...offer, ...change } : offer)),
    }));

  /** The host removes its copy of a streamed file. */
  const release = (id: number): void => {
    const token = tokens.get(id);
    tokens.delete(id);
    if (token) void transport.call('intake.release', { token });
  };

  const forget = (id: number): void => {
    files.delete(id);
    // A command that is running still needs its file; `run` releases it.
    if (!running.has(id)) release(id);
    decided.delete(id);
    store.setState(({ pending }) => ({ pending: pending.filter((offer) => offer.id !== id) }));
  };

  const finish = (id: number, added: Result<{ readonly ids: ItemId[] }>, signal: AbortSignal): Failure | null => {
    if (!added.ok) return added.error;
    tokens.delete(id);
    // The user cancelled it when the host had it already.
    if (signal.aborted) void transport.call('queue.cancel', { ids: added.value.ids });
    forget(id);
    return null;
  };

  const queue = async (
    id: number,
    { token, fit }: { readonly token: SourceToken; readonly fit: FitChoice | null },
    signal: AbortSignal,
  ): Promise<Failure | null> =>
    finish(id, await transport.call('queue.add', { tokens: [token], ...(fit !== null && { fit }) }), signal);

  const queueNote = async (id: number, token: SourceToken, signal: AbortSignal): Promise<Failure | null> =>
    finish(id, await transport.call('note.addFiles', { tokens: [token] }), signal);

  const previewFit = async (token: SourceToken, fit: FitChoice): Promise<FitPreviewState | null> => {
    const preview = await transport.call('fit.preview', { token, fit });
    if (!preview.ok) return { is: 'impossible', failure: preview.error };
    if (preview.value.kind !== 'video') return null;
    const { video } = preview.value;
    if (video.way === 'pass') return { is: 'same' };
    return video.way === 'refuse' ? { is: 'impossible', failure: video.failure } : { is: 'made', fitting: video };
  };

  /** Asks only if video must be re-encoded; the queue handles files that cannot be previewed. */
  const inspect = async (id: number, token: SourceToken, fit: FitChoice): Promise<'asked' | 'fits'> => {
    patch(id, { state: 'looking', fit });
    const preview = await previewFit(token, fit);
    // Without re-encoding, the conversion is fast and lossless.
    if (preview?.is !== 'made' || preview.fitting.way !== 'encode' || decided.has(id)) return 'fits';
    patch(id, { state: 'asking', previews: { [fit]: preview } });
    void previewOthers();
    return 'asked';
  };

  /** The next preset without a preview: the one selected by the user comes first. */
  const nextUnknown = (): { readonly file: PendingFile; readonly fit: FitChoice } | null => {
    const asking = store.getState().pending.filter(({ state }) => state === 'asking');
    const chosen = asking.find(({ previews, fit }) => !previews[fit]);
    if (chosen) return { file: chosen, fit: chosen.fit };
    for (const file of asking) for (const fit of FIT_CHOICES) if (!file.previews[fit]) return { file, fit };
    return null;
  };

  /** Sequential, because each preview encodes samples and uses the whole CPU. */
  const previewOthers = async (): Promise<void> => {
    if (isPreviewing) return;
    isPreviewing = true;
    for (let next = nextUnknown(); next; next = nextUnknown()) {
      const { id } = next.file;
      const token = tokens.get(id);
      const preview = (token && (await previewFit(token, next.fit))) || { is: 'same' as const };
      patch(id, { previews: { ...find(id)?.previews, [next.fit]: preview } });
    }
    isPreviewing = false;
  };

  /** Hands a file to the host and queues it; resolves to the error, if any. */
  const handOver = async (id: number, file: File, signal: AbortSignal): Promise<Failure | null> => {
    // Of a secret no copy is made.
    const kind = mayBeText(file) ? await kindOfText(file) : 'other';
    if (signal.aborted) return null;
    if (kind === 'secret') return failure('SOURCE_SECRET', `${file.name} looks like a secret.`);
    const known = tokens.get(id);
    const offered = known ? ok(known) : await transport.offer(file, (sentBytes) => patch(id, { sentBytes }), signal);
    if (!offered.ok) return offered.error;
    const token = offered.value;
    tokens.set(id, token);
    if (signal.aborted) return null;
    if (kind === 'text') return signal.aborted ? null : queueNote(id, token, signal);
    const asks = asksBeforeFit() && mayNeedFitting(file) && !decided.has(id);
    if (asks && (await inspect(id, token, usualFit())) === 'asked') return null;
    return signal.aborted ? null : queue(id, { token, fit: decided.get(id) ?? null }, signal);
  };

  const run = async (id: number, work: (signal: AbortSignal) => Promise<Failure | null>): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    const worked = await orAppFailed(async () => ok(await work(controller.signal)));
    const failure = worked.ok ? worked.value : worked.error;
    running.delete(id);
    // A retry uses the token again, unless the host has the file no more.
    if (failure !== null && isGone(failure)) release(id);
    if (controller.signal.aborted) forget(id);
    else if (failure !== null) patch(id, { state: 'failed', failure });
    startNext();
  };

  const startNext = (): void => {
    for (const { id, state } of store.getState().pending) {
      if (running.size >= MAX_CONCURRENT) return;
      const file = files.get(id);
      if (state !== 'waiting' || !file) continue;
      patch(id, { state: 'sending', sentBytes: tokens.has(id) ? file.size : 0, failure: null });
      void run(id, (signal) => handOver(id, file, signal));
    }
  };

  /** The user agreed: queues the video for conversion. */
  const accept = (id: number): void => {
    const offer = find(id);
    const token = tokens.get(id);
    if (!offer || !token) return;
    patch(id, { state: 'sending' });
    void run(id, (signal) => queue(id, { token, fit: offer.fit }, signal));
  };

  return {
    store,
    add: (chosen: readonly File[]): void => {
      const offers = chosen.map((file): PendingFile => {
        lastId += 1;
        files.set(lastId, file);
        const { name, size, type: mime } = file;
        const nothing = { sentBytes: 0, failure: null, previews: {}, fit: usualFit() } as const;
        return { id: lastId, name, size, mime, state: 'waiting', ...nothing };
      });
      store.setState((state) => ({ pending: [...state.pending, ...offers] }));
      startNext();
    },
    /** Selects another preset and its preview. */
    choose: (id: number, fit: FitChoice): void => patch(id, { fit }),
    accept,
    /** Applies one choice to this video and to all others that are not queued yet. */
    acceptAll: (fit: FitChoice): void => {
      for (const { id, state } of store.getState().pending) {
        const file = files.get(id);
        if (!file || !mayNeedFitting(file)) continue;
        decided.set(id, fit);
        patch(id, { fit });
        if (state === 'asking') accept(id);
      }
    },
    cancel: (id: number): void => {
      running.get(id)?.abort();
      forget(id);
    },
    retry: (id: number): void => {
      patch(id, { state: 'waiting', failure: null });
      startNext();
    },
  };
};

export type PendingFiles = ReturnType<typeof createPendingFiles>;
