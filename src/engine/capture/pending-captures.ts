/**
 * The pictures that captures hold in the spool, as facts of the profile. Promise: whatever was taken is on this list
 * before its file has its name, and leaves it only when the queue has it, when nothing is wanted of it any more, or some
 * time after the person threw it away; so that no crash loses a picture or publishes it twice.
 */
import { existsSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { CaptureId, ItemId } from '../../api/ids.ts';
import { renameSync } from '../../base/node/retrying-fs.ts';
import { AfterCapture } from '../../ipc/protocol/capture.ts';
import { Afterwards } from '../../ipc/protocol/link-settings.ts';
import { UNFINISHED } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { draftPath } from './drawing-drafts.ts';

/** What is to become of a held picture. */
const PendingStatus = Type.Union([
  /** The editor has it. */
  Type.Object({ is: Type.Literal('editing') }),
  /** The person has said it; `picture` is the file, edited or as it was taken. */
  Type.Object({
    is: Type.Literal('going'),
    picture: Type.String(),
    after: AfterCapture,
    share: Afterwards,
  }),
  /** An edited one was queued as this item; the original is kept until that is published. */
  Type.Object({ is: Type.Literal('kept'), item: ItemId }),
  /** The person gave it up at this instant, and may want it back for a while. */
  Type.Object({ is: Type.Literal('discarded'), at: Type.Integer({ minimum: 0 }) }),
]);

const PendingCapture = Type.Object({
  id: CaptureId,
  path: Type.String({ minLength: 1 }),
  /** With its ending. */
  name: Type.String({ minLength: 1 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  takenAt: Type.Integer({ minimum: 0 }),
  fate: PendingStatus,
});
export type PendingCapture = Static<typeof PendingCapture>;

export interface PendingCaptures {
  all(): readonly PendingCapture[];
  /** Adds it or takes the place of the one with its id, safe from a power cut. Throws where the disk is full. */
  put(held: PendingCapture): void;
  /** As `put`, but what a full disk cannot take is remembered for as long as we run. */
  note(held: PendingCapture): void;
  drop(id: CaptureId): void;
  /** Whether a file of the spool is one of them. */
  holds(path: string): boolean;
}

export const createPendingCaptures = (profile: Profile): PendingCaptures => {
  const fact = createPersistedValue(profile, 'captures', Type.Array(PendingCapture));
  let all: readonly PendingCapture[] = (fact.read() ?? []).filter(isThere);

  const withOne = (held: PendingCapture) => [...all.filter(({ id }) => id !== held.id), held];
  return {
    all: () => all,
    put(held) {
      const next = withOne(held);
      profile.durably(() => fact.write(next));
      all = next;
    },
    note(held) {
      const next = withOne(held);
      fact.note(next);
      all = next;
    },
    drop(id) {
      const others = all.filter((held) => held.id !== id);
      if (others.length === all.length) return;
      all = others;
      fact.note([...others]);
    },
    holds: (path) => all.some((held) => filesOf(held).includes(path)),
  };
};

const filesOf = ({ path, fate }: PendingCapture): readonly string[] => [
  ...[path, draftPath(path)],
  ...(fate.is === 'going' ? [fate.picture] : []),
];

/** A process that ended between the fact and the name has left a whole file without it. */
const isThere = ({ path }: PendingCapture): boolean => {
  if (existsSync(path)) return true;
  if (!existsSync(path + UNFINISHED)) return false;
  renameSync(path + UNFINISHED, path);
  return true;
};
