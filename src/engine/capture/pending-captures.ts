/**
 * Persists the list of screenshots that a crash must not lose: those open in the editor, those whose actions are not
 * done yet, discarded ones that can be restored, and the originals of edited ones until these are published or
 * cancelled. An entry is written before its file gets its final name; the next start completes the renaming. A copy of
 * the list is in a file beside the database, so that damage to the database cannot publish what the user hid. A crash may
 * leave the copy a moment behind: by an earlier state a screenshot returns to the editor, and not to the queue.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { CaptureId, ItemId } from '../../api/ids.ts';
import { readFileSync, renameSync } from '../../base/node/retrying-fs.ts';
import { ignoringFullDisk } from '../../common/disk-full.ts';
import { AfterCapture } from '../../ipc/protocol/capture.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { PostPublishSettings } from '../../ipc/protocol/link-settings.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import { writeAtomically } from '../write-atomically.ts';
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
  /** Resolves when the copy beside the database has all changes so far on the disk, or could not be written. */
  written(): Promise<void>;
  /** Whether the file of the spool belongs to a pending capture. */
  owns(path: string): boolean;
}

const List = Type.Array(PendingCapture);
const isList = createValidator(List);

export const createPendingCaptures = (profile: Profile, profileDir: string): PendingCaptures => {
  const persisted = createPersistedValue(profile, 'captures', List);
  const copy = openCopy(join(profileDir, 'captures.json'));
  const stored = persisted.read();
  const known = profile.damage === null ? (stored ?? copy.read() ?? []) : merged(stored ?? [], copy.read() ?? []);
  let all: readonly PendingCapture[] = known.filter(isThere);

  const withCapture = (capture: PendingCapture) => [...all.filter(({ id }) => id !== capture.id), capture];
  const write = (next: readonly PendingCapture[]): void => {
    profile.durably(() => persisted.write([...next]));
    copy.note(next);
  };
  copy.note(all);
  if (profile.damage !== null) ignoringFullDisk(() => write(all));
  return {
    all: () => all,
    put(capture) {
      const next = withCapture(capture);
      write(next);
      all = next;
    },
    note(capture) {
      const next = withCapture(capture);
      ignoringFullDisk(() => write(next));
      all = next;
    },
    drop(id) {
      const others = all.filter((capture) => capture.id !== id);
      if (others.length === all.length) return;
      all = others;
      persisted.note([...others]);
      copy.note(others);
    },
    written: copy.written,
    owns: (path) => all.some((capture) => filesOf(capture).includes(path)),
  };
};

/**
 * A database that was rebuilt or replaced by an older one knows less than the copy; an earlier version of the app, or a
 * crash, has left the copy without a screenshot.
 */
const merged = (stored: readonly PendingCapture[], copied: readonly PendingCapture[]): readonly PendingCapture[] => [
  ...stored.filter(({ id }) => !copied.some((capture) => capture.id === id)),
  ...copied,
];

/** The copy of the list, written in the background; a screenshot does not fail where the copy cannot be written. */
const openCopy = (path: string) => {
  let text = readOrNull(path);
  let wanted = text ?? '[]';
  let last = Promise.resolve();
  /** Writes the last state only, where several changes wait. */
  const writeWanted = async (): Promise<void> => {
    const next = wanted;
    if (next === (text ?? '[]')) return;
    await writeAtomically(path, next);
    text = next;
  };
  return {
    /** Null: it is missing, or this version cannot read it. */
    read(): readonly PendingCapture[] | null {
      try {
        const list: unknown = JSON.parse(text ?? '');
        return isList(list) ? list : null;
      } catch {
        return null;
      }
    },
    note(list: readonly PendingCapture[]): void {
      wanted = JSON.stringify(list.filter(isCopied));
      // What cannot be written is written with the next change.
      last = last.then(writeWanted).catch(() => {});
    },
    written: () => last,
  };
};

/** A screenshot that is published as it is becomes an item after damage too, a paused one. */
const isCopied = ({ path, item, status }: PendingCapture): boolean =>
  item !== undefined || status.is !== 'going' || !status.after.publish || status.picture !== path;

/** What cannot be read, as a file of another user, blocks no start: the next change replaces it. */
const readOrNull = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
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
