/**
 * Commands of the upload queue: add items, change, reorder and dismiss them, pause, retry and cancel them, wait for
 * them, mark their links as delivered, and read their timelines.
 */
import Type from 'typebox';
import { Failure } from '../../../api/errors.ts';
import { ItemId, SourceToken } from '../../../api/ids.ts';
import { Nullable } from '../../../api/nullable-and-literals.ts';
import { LinkSettings } from '../link-settings.ts';
import { FitChoice, Job, PrintPendingFlag, QueueItem } from '../queue-item.ts';
import { TimelineEvent } from '../timeline.ts';
import { type Command, Ids, None } from './command.ts';

export const queueCommands = {
  'queue.add': {
    input: Type.Object({
      tokens: Type.Array(SourceToken, { minItems: 1 }),
      share: Type.Optional(LinkSettings),
      fit: Type.Optional(FitChoice),
    }),
    output: Ids,
    from: 'page',
    by: 'host',
  },
  /**
   * Checks each file and persists the rows before it replies, all or nothing. Errors: SOURCE_*, INVALID_INPUT,
   * PLAN_FEATURE_REQUIRED, KEY_STORE_FAILED for a password that cannot be stored, DISK_FULL.
   */
  'queue.addPaths': {
    input: Type.Object({
      paths: Type.Array(Type.String(), { minItems: 1 }),
      share: Type.Optional(LinkSettings),
      /** Default: a folder is a folder of code, and everything else a file. */
      job: Type.Optional(Job),
      printPending: Type.Optional(PrintPendingFlag),
    }),
    output: Ids,
    from: 'owner',
  },
  /**
   * Takes ownership of a complete file in the folder of `intake.folder`; the app removes it once it is published. Of a
   * `name` that is a path, only the name of the file is kept.
   */
  'queue.addSpooled': {
    input: Type.Object({
      path: Type.String({ minLength: 1 }),
      name: Type.String({ minLength: 1, maxLength: 1_024 }),
      share: Type.Optional(LinkSettings),
      job: Type.Optional(Job),
      printPending: Type.Optional(PrintPendingFlag),
    }),
    output: Ids,
    from: 'owner',
  },
  /**
   * Changes link settings of unpublished items. What comes too late for publishing is applied right after it, before
   * the link is delivered. Replies per item: null, or the error.
   */
  'queue.setShare': {
    input: Type.Object({ ...Ids.properties, change: LinkSettings }),
    output: Type.Object({ answers: Type.Array(Type.Object({ id: ItemId, failure: Nullable(Failure) })) }),
    from: 'page',
  },
  'queue.pause': { input: Ids, output: None, from: 'page' },
  'queue.resume': { input: Ids, output: None, from: 'page' },
  'queue.retry': { input: Ids, output: None, from: 'page' },
  /**
   * Uploads captures that wait for a look as they are. `isUnedited`: the user was asked, and leaves out what is drawn on
   * them. Errors: COMMAND_INVALID where the setting requires that each finding is decided about; DRAWING_NOT_APPLIED
   * where something is drawn on some, which wait on, while the others are uploaded.
   */
  'queue.approve': {
    input: Type.Object({ ...Ids.properties, isUnedited: Type.Optional(Type.Literal(true)) }),
    output: None,
    from: 'page',
  },
  'queue.cancel': { input: Ids, output: None, from: 'page' },
  /** Removes finished items from the queue's view; they stay in the library. Errors: DISK_FULL. */
  'queue.dismiss': { input: Ids, output: None, from: 'page' },
  /**
   * Waits until the item is linked or cannot continue without the user: tolerates a transient error for `patienceMs`
   * without progress, then returns it, and the item stays in the queue.
   */
  'queue.waitFor': {
    input: Type.Object({ id: ItemId, patienceMs: Type.Integer({ minimum: 0 }) }),
    output: QueueItem,
    from: 'owner',
  },
  /**
   * A command has printed these links, so it no longer waits for them. Where only commands deliver links, this counts
   * as delivery.
   */
  'queue.markDelivered': { input: Ids, output: None, from: 'owner' },
  /**
   * Cancels the given items that a command entered and for which no command waits any more: the same content is to be
   * published again.
   */
  'queue.replace': { input: Ids, output: None, from: 'owner' },
  /** Moves an item before another one; null is the end of the queue. Errors: DISK_FULL. */
  'queue.move': { input: Type.Object({ id: ItemId, before: Nullable(ItemId) }), output: None, from: 'page' },
  /** The timeline of an item of the queue or the library, oldest first; empty if unknown. */
  'queue.timeline': {
    input: Type.Object({ id: ItemId }),
    output: Type.Object({ events: Type.Array(TimelineEvent) }),
    from: 'page',
  },
  'queue.pauseAll': { input: None, output: None, from: 'page' },
  'queue.resumeAll': { input: None, output: None, from: 'page' },
} as const satisfies Record<string, Command>;
