/**
 * The table of all commands and events between the engine and a window or another process of the user, and the
 * message frames of WebSocket and local socket. Every transport (Electron IPC, WebSocket, local socket) uses this one
 * table; the receiving side validates `input` by its schema before it acts.
 */
import Type, { type Static } from 'typebox';
import type { Failure } from '../../api/errors.ts';
import { CaptureId, ItemId } from '../../api/ids.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';
import { AppState } from './app-state.ts';
import { animationCommands } from './commands/animation.ts';
import { appCommands } from './commands/app.ts';
import { captureCommands } from './commands/capture.ts';
import { connectionCommands } from './commands/connection.ts';
import { ErrorHistoryEntry, errorHistoryCommands } from './commands/error-history.ts';
import { fitCommands } from './commands/fit.ts';
import { folderCommands } from './commands/folder.ts';
import { hotkeyCommands } from './commands/hotkeys.ts';
import { incomingFileCommands } from './commands/incoming-files.ts';
import { libraryCommands } from './commands/library.ts';
import { localDataCommands } from './commands/local-data.ts';
import { noteCommands } from './commands/note.ts';
import { pinCommands } from './commands/pins.ts';
import { queueCommands } from './commands/queue.ts';
import { recordingCommands } from './commands/recording.ts';
import { presetCommands, settingsCommands } from './commands/settings.ts';
import { visionCommands } from './commands/vision.ts';
import { PinnedImage } from './pinned-image.ts';
import { CapturedText, ReadingId } from './vision.ts';

export const COMMANDS = {
  ...appCommands,
  ...captureCommands,
  ...recordingCommands,
  ...animationCommands,
  ...hotkeyCommands,
  ...queueCommands,
  ...incomingFileCommands,
  ...fitCommands,
  ...folderCommands,
  ...libraryCommands,
  ...noteCommands,
  ...presetCommands,
  ...connectionCommands,
  ...settingsCommands,
  ...localDataCommands,
  ...errorHistoryCommands,
  ...visionCommands,
  ...pinCommands,
} as const;

export type CommandName = keyof typeof COMMANDS;
/** The commands that a handler of the host runs; the engine runs all others. */
export type HostCommandName = {
  [K in CommandName]: (typeof COMMANDS)[K] extends { readonly by: 'host' } ? K : never;
}[CommandName];
export type EngineCommandName = Exclude<CommandName, HostCommandName>;
// Tables of types: the compiler works out those of one command once, and none where the command is not known yet.
type Inputs = { [K in CommandName]: Static<(typeof COMMANDS)[K]['input']> };
type Outputs = { [K in CommandName]: Static<(typeof COMMANDS)[K]['output']> };
export type CommandInput<K extends CommandName> = Inputs[K];
export type CommandOutput<K extends CommandName> = Outputs[K];

type Plain = string | number | boolean | null | undefined;
type KeyOf<T> = T extends Plain ? never : keyof T;
type ValueAt<T, P> = T extends unknown ? (P extends keyof T ? T[P] : never) : never;
/** `Given`, where a key at any depth that `Known` lacks is `never`. */
type Exact<Known, Given> = unknown extends Known
  ? Given
  : Given extends Plain
    ? Given
    : { [P in keyof Given]: P extends KeyOf<Known> ? Exact<ValueAt<Known, P>, Given[P]> : never };
/** TypeScript itself refuses unknown keys of literals only, and not those of variables. */
export type ExactInput<K extends CommandName, I extends CommandInput<K>> = I & Exact<CommandInput<K>, I>;

/** State changes as they happen. Events report; they never command. */
export const AppEvent = Type.Union([
  Type.Object({ type: Type.Literal('state'), state: AppState }),
  /**
   * A link is ready; where the host cannot reach the clipboard, the page copies `text`: the link in the user's format.
   */
  Type.Object({
    type: Type.Literal('linked'),
    id: ItemId,
    url: Type.String(),
    name: Type.String(),
    text: Type.String(),
  }),
  Type.Object({ type: Type.Literal('cancelled'), id: ItemId }),
  /** The page should put a screenshot on the clipboard, because the host cannot. */
  Type.Object({ type: Type.Literal('picture'), id: CaptureId }),
  /** A capture was requested while one is open: its window comes to the front. */
  Type.Object({ type: Type.Literal('recalled') }),
  /** A screenshot was kept without a link: on the clipboard of the host, as a file at `savedTo`, or both. */
  Type.Object({
    type: Type.Literal('kept'),
    id: CaptureId,
    name: Type.String(),
    copied: Type.Boolean(),
    savedTo: Nullable(Type.String()),
  }),
  /** How much of a picture is read; `part` from 0 to 1. */
  Type.Object({ type: Type.Literal('reading'), reading: ReadingId, part: Type.Number() }),
  /** How much of the animated image is made; `part` from 0 to 1. */
  Type.Object({ type: Type.Literal('animating'), part: Type.Number() }),
  /**
   * The text of a selection on the frozen screen. `copied`: the host put it on the clipboard; otherwise the page does.
   * `id` is also the name of the reading.
   */
  Type.Object({ type: Type.Literal('captureText'), id: CaptureId, found: CapturedText }),
  /** The errors that are not dismissed yet, newest first. */
  Type.Object({ type: Type.Literal('problems'), problems: Type.Array(ErrorHistoryEntry) }),
  /** A pinned image has changed; only its own page gets this. */
  Type.Object({ type: Type.Literal('pin'), pin: PinnedImage }),
  /** Published items have changed; views of them reload. */
  Type.Object({ type: Type.Literal('library') }),
]);
export type AppEvent = Static<typeof AppEvent>;

/** Frames of the WebSocket and local-socket transports. */
export const RequestFrame = Type.Object({ id: Type.Integer(), command: Type.String(), input: Type.Unknown() });
export type RequestFrame = Static<typeof RequestFrame>;
export type ReplyFrame =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Failure };
export type EventFrame = { readonly event: AppEvent };
