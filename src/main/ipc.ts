/**
 * The main process's handlers of the pages' IPC calls: commands, files and their slices, performance marks of captures,
 * and drags. A call from anything but the main frame of the app's own pages gets an error.
 */
import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { ipcMain } from 'electron';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { err, failure, ok, type Result } from '../api/errors.ts';
import { IntakeId, ItemId } from '../api/ids.ts';
import type { HostCore } from '../host/start-host-core.ts';
import { type CaptureMark, DESKTOP_CHANNELS } from '../ipc/protocol/preload-api.ts';
import { pageAt } from './page-urls.ts';

type Handler = (...input: readonly unknown[]) => Promise<Result<unknown>> | Result<unknown>;

const Slice = Compile(Type.Object({ id: IntakeId, offset: Type.Integer({ minimum: 0 }) }));
const Mark = Compile(
  Type.Object({
    id: Type.String({ maxLength: 100 }),
    display: Type.Integer({ minimum: 1 }),
    name: Type.String({ maxLength: 100 }),
    at: Type.Number(),
  }),
);

const Item = Compile(ItemId);

const FOREIGN = failure('COMMAND_INVALID', 'Only a window of Linkshot may ask this.');
const NO_SLICE = failure('COMMAND_INVALID', 'This is not a slice of a file.');
const NOT_SAID = failure('COMMAND_INVALID', 'The message is incomplete or invalid.');

/** A page that was navigated away, or a frame inside it, keeps the preload of its window but not its permissions. */
const handle = (channel: string, answer: Handler): void => {
  ipcMain.handle(channel, ({ senderFrame }, ...input: unknown[]) => {
    const isOwn = senderFrame?.parent === null && pageAt(senderFrame.url) !== null;
    return isOwn ? answer(...input) : err(FOREIGN);
  });
};

export interface IpcDeps extends Pick<HostCore, 'dispatcher' | 'sources' | 'intake'> {
  readonly onMark: (mark: CaptureMark) => void;
  /** A drag of this item's file has started. */
  readonly onDrag: (id: ItemId) => Result<void>;
}

export interface ServedIpc {
  /** Resolves when no command of a page is running. */
  idle(): Promise<void>;
  /** Removes the channels. */
  stop(): void;
}

/** Registers the channels. Aborting `signal` cancels running commands. */
export const serveIpc = (deps: IpcDeps, signal: AbortSignal): ServedIpc => {
  const { dispatcher, sources, intake, onMark, onDrag } = deps;
  const running = new Set<Promise<Result<unknown>>>();
  const whileRunning = (answer: Promise<Result<unknown>>): Promise<Result<unknown>> => {
    running.add(answer);
    return answer.finally(() => running.delete(answer));
  };
  const handlers: Readonly<Record<keyof typeof DESKTOP_CHANNELS, Handler | null>> = {
    call: (command, input) => whileRunning(dispatcher.dispatch('page', String(command), input, signal)),
    async offerPath(path) {
      if (typeof path !== 'string' || !isAbsolute(path)) return err(failure('SOURCE_MISSING', 'The file has no path.'));
      const facts = await stat(path).catch(() => null);
      if (!facts) return err(failure('SOURCE_MISSING', 'The file no longer exists.'));
      if (!facts.isFile() && !facts.isDirectory()) return err(failure('SOURCE_NOT_A_FILE', 'This is a device.'));
      const job = facts.isDirectory() ? { job: { kind: 'folder' } as const } : {};
      return ok(sources.offer({ source: { owner: 'user', path }, name: basename(path), ...job }));
    },
    writeSlice(id, offset, bytes) {
      const slice = { id, offset };
      return Slice.Check(slice) && bytes instanceof Uint8Array
        ? intake.write(slice.id, slice.offset, bytes)
        : err(NO_SLICE);
    },
    mark(mark) {
      if (!Mark.Check(mark)) return err(NOT_SAID);
      onMark(mark);
      return ok({});
    },
    dragFile: (id) => (Item.Check(id) ? onDrag(id) : err(NOT_SAID)),
    // The opposite direction: to the pages.
    event: null,
  };
  const channels = Object.entries(handlers).flatMap(([name, handler]) =>
    handler ? [[DESKTOP_CHANNELS[name as keyof typeof DESKTOP_CHANNELS], handler] as const] : [],
  );
  for (const [channel, handler] of channels) handle(channel, handler);
  return {
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    stop() {
      for (const [channel] of channels) ipcMain.removeHandler(channel);
    },
  };
};
