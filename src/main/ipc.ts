/** The window's side of the bridge. Promise: only the app's own page, in its main frame, is ever answered. */
import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { DESKTOP_CHANNELS } from '../contract/desktop.ts';
import { err, failure, ok, type Result } from '../contract/errors.ts';
import { IntakeId } from '../contract/ids.ts';
import type { Host } from '../host/host.ts';
import { isOwnAddress } from './address.ts';

type Handler = (...input: readonly unknown[]) => Promise<Result<unknown>>;

const Slice = Compile(Type.Object({ id: IntakeId, offset: Type.Integer({ minimum: 0 }) }));

const FOREIGN = failure('COMMAND_INVALID', 'Only the window of Linkshot may ask this.');
const NO_SLICE = failure('COMMAND_INVALID', 'This is not a slice of a file.');

/** A page that was led away, or a frame inside it, keeps the preload of its window but not its rights. */
const isOwnPage = ({ senderFrame }: IpcMainInvokeEvent): boolean =>
  senderFrame !== null && senderFrame.parent === null && isOwnAddress(senderFrame.url);

const handle = (channel: string, answer: Handler): void => {
  ipcMain.handle(channel, (event, ...input: unknown[]) => (isOwnPage(event) ? answer(...input) : err(FOREIGN)));
};

export type IpcDeps = Pick<Host, 'dispatcher' | 'sources' | 'intake'>;

/** Registers the three channels; answers their undo. Commands are given up when `signal` is aborted. */
export const serveWindow = ({ dispatcher, sources, intake }: IpcDeps, signal: AbortSignal): (() => void) => {
  handle(DESKTOP_CHANNELS.call, (command, input) => dispatcher.dispatch('page', String(command), input, signal));
  handle(DESKTOP_CHANNELS.offerPath, async (path) => {
    if (typeof path !== 'string' || !isAbsolute(path)) return err(failure('SOURCE_MISSING', 'The file has no path.'));
    const facts = await stat(path).catch(() => null);
    if (!facts) return err(failure('SOURCE_MISSING', 'The file is not there any more.'));
    if (!facts.isFile() && !facts.isDirectory()) return err(failure('SOURCE_NOT_A_FILE', 'This is a device.'));
    const job = facts.isDirectory() ? { job: { kind: 'folder' } as const } : {};
    return ok(sources.offer({ source: { owner: 'person', path }, name: basename(path), ...job }));
  });
  handle(DESKTOP_CHANNELS.writeSlice, async (id, offset, bytes) => {
    const slice = { id, offset };
    return Slice.Check(slice) && bytes instanceof Uint8Array
      ? intake.write(slice.id, slice.offset, bytes)
      : err(NO_SLICE);
  });
  return () => {
    for (const channel of [DESKTOP_CHANNELS.call, DESKTOP_CHANNELS.offerPath, DESKTOP_CHANNELS.writeSlice])
      ipcMain.removeHandler(channel);
  };
};
