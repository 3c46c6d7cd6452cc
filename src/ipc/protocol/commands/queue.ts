/** The upload queue: what goes in, and what a person wants of it. */
import Type from 'typebox';
import { Nullable } from '../../../api/content.ts';
import { Failure } from '../../../api/errors.ts';
import { ItemId, SourceToken } from '../../../api/ids.ts';
import { LinkSettings } from '../link-settings.ts';
import { Awaited, FitChoice, Job, QueueItem } from '../queue-item.ts';
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
  },
  'queue.addPaths': {
    input: Type.Object({
      paths: Type.Array(Type.String(), { minItems: 1 }),
      share: Type.Optional(LinkSettings),
      /** Without it a folder is a folder of code, and everything else a file. */
      job: Type.Optional(Job),
      awaited: Type.Optional(Awaited),
    }),
    output: Ids,
    from: 'owner',
  },
  /** Takes over a whole file that lies in the folder of `intake.folder`; the app removes it once it is published. */
  'queue.addSpooled': {
    input: Type.Object({
      path: Type.String({ minLength: 1 }),
      name: Type.String({ minLength: 1, maxLength: 1_024 }),
      share: Type.Optional(LinkSettings),
      job: Type.Optional(Job),
      awaited: Type.Optional(Awaited),
    }),
    output: Ids,
    from: 'owner',
  },
  /**
   * Changes link settings of items that are not published yet. What comes too late for publishing is asked of the item
   * right afterwards, before its link is told. Answered item by item: null, or why it could not be.
   */
  'queue.setShare': {
    input: Type.Object({ ...Ids.properties, change: LinkSettings }),
    output: Type.Object({ answers: Type.Array(Type.Object({ id: ItemId, failure: Nullable(Failure) })) }),
    from: 'page',
  },
  'queue.pause': { input: Ids, output: None, from: 'page' },
  'queue.resume': { input: Ids, output: None, from: 'page' },
  'queue.retry': { input: Ids, output: None, from: 'page' },
  'queue.cancel': { input: Ids, output: None, from: 'page' },
  /** Takes finished items out of the queue's view; they stay in the library. */
  'queue.dismiss': { input: Ids, output: None, from: 'page' },
  /**
   * Waits until the item is linked or cannot go on by itself: a passing fault is waited out for `patienceMs` without
   * progress, then its failure is answered and the item stays in the queue.
   */
  'queue.settled': {
    input: Type.Object({ id: ItemId, patienceMs: Type.Integer({ minimum: 0 }) }),
    output: QueueItem,
    from: 'owner',
  },
  /** A command has printed these links, so none awaits them. Where only commands tell links, that is their delivery too. */
  'queue.told': { input: Ids, output: None, from: 'owner' },
  /** Gives up those of the items that a command entered and none waits for any more: the same is to be published anew. */
  'queue.replace': { input: Ids, output: None, from: 'owner' },
  'queue.move': { input: Type.Object({ id: ItemId, before: Nullable(ItemId) }), output: None, from: 'page' },
  /** What happened to an item of the queue or the library, oldest first; empty where neither knows it. */
  'queue.timeline': {
    input: Type.Object({ id: ItemId }),
    output: Type.Object({ events: Type.Array(TimelineEvent) }),
    from: 'page',
  },
  'queue.pauseAll': { input: None, output: None, from: 'page' },
  'queue.resumeAll': { input: None, output: None, from: 'page' },
} as const satisfies Record<string, Command>;
