/**
 * Persists the list of screenshots that a crash must not lose: those open in the editor, those whose actions are not
 * done yet, discarded ones that can be restored, and the originals of edited ones until these are published or
 * cancelled. An entry is written before its file gets its final name; the next start completes the renaming.
 */
import { existsSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { CaptureId, ItemId } from '../../api/ids.ts';
import { renameSync } from '../../base/node/retrying-fs.ts';
import { ignoringFullDisk } from '../../common/disk-full.ts';
import { AfterCapture } from '../../ipc/protocol/capture.ts';
import { PostPublishSettings } from '../../ipc/protocol/link-settings.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { draftPath } from './editor-drafts.ts';

/** The next step of a pending capture. */
const PendingStatus = Type.Union([
  /** Open in the editor. */
  Type.Object({ is: Type.Literal('editing') }),
  /** The user has finished it; `picture` is the edited file or the original. */
  Type.Object({
    is: Type.Literal('going'),
    picture: Type.String(),
    after: AfterCapture,
    share: PostPublishSettings,
    isReviewed: Type.Optional(Type.Literal(true)),
  }),
  /** The edited file was queued as this item; the original is kept until the item is published. */
  Type.Object({ is: Type.Literal('kept'), item: ItemId }),
  /** The user discarded it at this instant and can restore it for a while. */
  Type.Object({ is: Type.Literal('discarded'), at: Type.Integer({ minimum: 0 }) }),
]);

const PendingCapture = Type.Object({
  id: CaptureId,
  path: Type.String({ minLength: 1 }),
  /** With its file extension. */
  name: Type.String({ minLength: 1 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  takenAt: Type.Integer({ minimum: 0 }),
  /** Its picture is the one of this item, which waits in the queue until the user has looked at it. */
  item: Type.Optional(ItemId),
  status: PendingStatus,
});
export type PendingCapture = Static<typeof PendingCapture>;

export interface PendingCaptures {
  all(): readonly PendingCapture[];
  /** Adds or replaces the entry with the same id, synced to disk. Throws where the disk is full. */
  put(capture: PendingCapture): void;
  /** Like `put`; on a full disk the change is kept in memory only. */
  note(capture: PendingCapture): void;
  drop(id: CaptureId): void;
  /** Whether the file of the spool belongs to a pending capture. */
  owns(path: string): boolean;
}

export const createPendingCaptures = (profile: Profile): PendingCaptures => {
  const persisted = createPersistedValue(profile, 'captures', Type.Array(PendingCapture));
  let all: readonly PendingCapture[] = (persisted.read() ?? []).filter(isThere);

  const withCapture = (capture: PendingCapture) => [...all.filter(({ id }) => id !== capture.id), capture];
  return {
    all: () => all,
    put(capture) {
      const next = withCapture(capture);
      profile.durably(() => persisted.write(next));
      all = next;
    },
    note(capture) {
      const next = withCapture(capture);
      ignoringFullDisk(() => profile.durably(() => persisted.write(next)));
      all = next;
    },
    drop(id) {
      const others = all.filter((capture) => capture.id !== id);
      if (others.length === all.length) return;
      all = others;
      persisted.note([...others]);
    },
    owns: (path) => all.some((capture) => filesOf(capture).includes(path)),
  };
};

const filesOf = ({ path, status }: PendingCapture): readonly string[] => [
  ...[path, draftPath(path)],
  ...(status.is === 'going' ? [status.picture] : []),
];

/** A process that ended before the rename left a complete file under its unfinished name. */
const isThere = ({ path }: PendingCapture): boolean => {
  if (existsSync(path)) return true;
  if (!existsSync(path + UNFINISHED)) return false;
  renameSync(path + UNFINISHED, path);
  return true;
};
