/**
 * Reads the text of pictures and copies it to the clipboard, one picture at a time: a newer reading replaces the one
 * before. Also stores the QR codes and barcodes that are shown to the user.
 */
import { createStore } from 'zustand/vanilla';
import type { Result } from '../../../api/errors.ts';
import type { CaptureId, ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { AppEvent } from '../../../ipc/protocol/command-table.ts';
import type { PictureContent, ReadingId } from '../../../ipc/protocol/vision.ts';
import { afterOutage } from '../after-outage.ts';
import type { EngineStore } from '../engine-store.ts';
import type { Toasts } from '../messages/toasts.ts';
import { newRandomId } from '../new-random-id.ts';
import type { PageClipboard } from '../page-clipboard.ts';

/** `file`: a picture of the page, such as an edited one. */
export type TextSource =
  | { readonly from: 'item'; readonly id: ItemId }
  | { readonly from: 'capture'; readonly id: CaptureId }
  | { readonly from: 'file'; readonly file: () => Promise<File> };

export type Code = PictureContent['codes'][number];

interface PictureTextState {
  /** Shown to the user; null: none. */
  readonly codes: readonly Code[] | null;
}

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly clipboard: PageClipboard;
}

export const createPictureText = ({ transport, engine, toasts, clipboard }: Deps) => {
  const store = createStore<PictureTextState>(() => ({ codes: null }));
  let current: ReadingId | null = null;
  /** The reading that the host has begun by itself: its end is an event, not an answer. */
  let captured: CaptureId | null = null;
  const clipboardOwner = () => engine.store.getState().app?.capabilities.clipboard ?? 'page';

  const copyByHost = async (text: string): Promise<boolean> => (await engine.ask('vision.copy', { text })).ok;

  /** Resolves to whether the text is on the clipboard; false where the promise rejects, too. */
  const write = async (text: string | Promise<string>): Promise<boolean> => {
    const owner = clipboardOwner();
    if (owner !== 'host' && (await clipboard.write(text))) return true;
    if (owner === 'page') return false;
    const words = await Promise.resolve(text).catch(() => null);
    return words !== null && copyByHost(words);
  };

  const begin = (reading: ReadingId): void => {
    if (current !== null) void engine.ask('vision.stop', { reading: current });
    current = reading;
    toasts.withdraw('textRead');
    toasts.show({ kind: 'textReading', reading, part: null });
  };

  /** False: the reading was replaced. */
  const end = (reading: ReadingId): boolean => {
    if (current !== reading) return false;
    current = null;
    toasts.withdraw('textReading');
    return true;
  };

  /** `id`: of the capture that every page hears of; absent: this page alone has read it. */
  const showRead = (content: PictureContent, isCopied: boolean, id?: CaptureId): void => {
    const note = { kind: 'textRead', content } as const;
    const isDone = isCopied || content.text === '';
    const isByPage = clipboardOwner() !== 'host';
    if (isDone || !isByPage) {
      if (isCopied && id !== undefined) clipboard.tellCopied(id);
      toasts.show({ ...note, copied: isDone ? 'yes' : 'no' });
      return;
    }
    const again = async (): Promise<boolean> => {
      const isWritten = await write(content.text);
      if (isWritten) showRead(content, true, id);
      return isWritten;
    };
    const ends = {
      onLeft: () => toasts.show({ ...note, copied: 'left' }),
      onDropped: () => toasts.withdraw('textRead'),
    };
    // The message comes afterwards, because an older wait that this one replaces withdraws its own.
    const waits = clipboard.writeLater(again, ends, id);
    toasts.show({ ...note, copied: waits ? 'waits' : 'yes' });
  };

  const send = async (source: TextSource, reading: ReadingId): Promise<Result<PictureContent>> => {
    if (source.from === 'item') return engine.ask('vision.readItem', { id: source.id, reading });
    if (source.from === 'capture') return engine.ask('vision.readCapture', { id: source.id, reading });
    const offered = await transport.offer(await source.file(), () => {}, new AbortController().signal);
    return offered.ok ? engine.ask('vision.readFile', { token: offered.value, reading }) : offered;
  };

  const followCaptured = ({ id, found }: Extract<AppEvent, { type: 'captureText' }>): void => {
    if (found.state === 'reading') {
      begin(id);
      captured = id;
      return;
    }
    // A page that was opened meanwhile shows the result all the same.
    if (current !== null && !end(id)) return;
    if (found.state === 'failed') {
      if (found.failure.code !== 'CANCELLED') toasts.show({ kind: 'failure', failure: found.failure });
    } else void showCaptured(found.content, found.copied, id);
  };

  const showCaptured = async (content: PictureContent, wasCopied: boolean, id: CaptureId): Promise<void> => {
    const isByPage = !wasCopied && content.text !== '' && clipboardOwner() !== 'host';
    showRead(content, wasCopied || (isByPage && (await clipboard.write(content.text))), id);
  };

  transport.on((event) => {
    if (event.type !== 'reading' || event.reading !== current) return;
    const { reading, part } = event;
    for (const { id, note } of toasts.store.getState().toasts)
      if (note.kind === 'textReading') toasts.update(id, { kind: 'textReading', reading, part });
  });

  afterOutage(transport, () => () => {
    if (captured !== null) end(captured);
  });

  return {
    store,
    /** Copies the text of a picture; messages tell the progress, the number of words, and failures. */
    copyFrom: async (source: TextSource): Promise<void> => {
      const reading = newRandomId();
      begin(reading);
      const reply = send(source, reading);
      // Browsers allow writing while the click is handled: the text follows.
      const text = reply.then((read) =>
        read.ok && read.value.text !== '' && current === reading
          ? read.value.text
          : Promise.reject(new Error('There is no text.')),
      );
      const isCopied = await write(text).catch(() => false);
      const read = await reply.catch((error: unknown) => {
        end(reading);
        throw error;
      });
      if (!end(reading)) return;
      if (read.ok) showRead(read.value, isCopied);
      else if (read.error.code !== 'CANCELLED') toasts.show({ kind: 'failure', failure: read.error });
    },
    stop: (reading: ReadingId): void => {
      end(reading);
      void engine.ask('vision.stop', { reading });
    },
    /** Another attempt, after one that was refused. */
    copyAgain: async (content: PictureContent): Promise<void> => {
      showRead(content, await write(content.text));
    },
    copy: write,
    showCodes: (codes: readonly Code[] | null): void => store.setState({ codes }),
    /** Opens the address of a code, which the user has seen, where the page itself cannot. */
    open: (address: string): void => void engine.run('vision.open', { address }),
    /** Shows what becomes of the text of captures; for the page that shows their messages. Returns the undo. */
    follow: (): (() => void) =>
      transport.on((event) => {
        if (event.type === 'captureText') followCaptured(event);
      }),
  };
};

export type PictureText = ReturnType<typeof createPictureText>;
