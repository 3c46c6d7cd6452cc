/** Types of the engine's commands, derived from the command table: `engine.<feature>.<command>(input, signal)`. */

import type { Result } from '../api/errors.ts';
import type { CommandInput, CommandOutput, EngineCommandName } from '../ipc/protocol/command-table.ts';

/** Commands that answer without waiting for anything. */
type ImmediateCommand =
  | 'app.dismissNotices'
  | 'capture.copied'
  | 'capture.restore'
  | 'connection.activate'
  | 'connection.cancelAuthorize'
  | 'connection.freshen'
  | 'library.find'
  | 'library.forget'
  | 'library.search'
  | 'library.undelete'
  | 'note.dropDraft'
  | 'note.dropUnpublished'
  | 'note.guess'
  | 'note.saveDraft'
  | 'note.saveUnpublished'
  | 'note.unpublished'
  | `preset.${string}`
  | `problem.${string}`
  | 'queue.cancel'
  | 'queue.dismiss'
  | 'queue.move'
  | 'queue.pause'
  | 'queue.pauseAll'
  | 'queue.replace'
  | 'queue.resume'
  | 'queue.resumeAll'
  | 'queue.retry'
  | 'queue.timeline'
  | 'queue.markDelivered'
  | 'settings.update'
  | 'vision.stop';

/** Commands that cannot be cancelled once they have begun. */
type UncancellableCommand =
  | 'animation.stop'
  | 'capture.cancel'
  | 'capture.draft'
  | 'capture.keepDraft'
  | 'capture.review'
  | 'capture.stopScrolling'
  | 'capture.undoScrolling'
  | 'connection.disconnect'
  | 'connection.remove'
  | 'connection.reopenAuthorize'
  | 'hotkeys.replaceSnippingTool'
  | 'hotkeys.retry'
  | 'hotkeys.setShortcut'
  | 'intake.clipboard'
  | `link.${string}`
  | 'note.add'
  | 'note.addPaths'
  | `profile.${string}`
  | 'queue.addPaths'
  | 'queue.addSpooled'
  | 'queue.approve'
  | 'queue.setShare'
  | 'recording.discard'
  | 'recording.pause'
  | 'recording.publish'
  | 'recording.resume'
  | 'recording.stop'
  | 'vision.copy'
  | 'vision.open';

/** A command without input takes no argument, unless it takes a signal. */
type Input<K extends EngineCommandName> = keyof CommandInput<K> extends never ? [] : [input: CommandInput<K>];

type EngineCommand<K extends EngineCommandName> = K extends ImmediateCommand
  ? (...input: Input<K>) => Result<CommandOutput<K>>
  : K extends UncancellableCommand
    ? (...input: Input<K>) => Promise<Result<CommandOutput<K>>>
    : (input: CommandInput<K>, signal: AbortSignal) => Promise<Result<CommandOutput<K>>>;

/** The part of a command's name before the dot. */
type Feature = EngineCommandName extends infer K ? (K extends `${infer F}.${string}` ? F : never) : never;

/** The commands of one feature, by the second part of their names. */
export type CommandsOf<F extends Feature> = {
  readonly [K in EngineCommandName as K extends `${F}.${infer C}` ? C : never]: EngineCommand<K>;
};

export type EngineCommands = { readonly [F in Feature]: CommandsOf<F> };
