/**
 * Stores the queue in SQLite, with a copy of its items in memory for reads; also the hashes of their parts, and the
 * uploads at the service that no item continues. Saved changes survive the end of the process. New, linked and removed
 * items also survive a power cut, and so do idempotency keys, which are on disk before their request is sent.
 */

import { failure, ok, type Result } from '../../api/errors.ts';
import type { AccountId, ItemId, UploadId } from '../../api/ids.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { QUEUE_ITEMS, type QueueItem, type QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Library } from '../library/library-store.ts';
import type { Profile } from '../profile/database.ts';
import type { Manifest } from '../upload/manifest.ts';
import { type TimelineChange, timelineChangesOf } from './timeline/timeline-reducer.ts';
import type { Timeline } from './timeline/timeline-store.ts';

export interface OrphanedUpload {
  readonly uploadId: UploadId;
  readonly accountId: AccountId;
  readonly orphanedAt: number;
}

/**
 * Changes return DISK_FULL where they could not be written; the item is then unchanged. Timeline events that follow
 * from a change are recorded with it; `event` adds one that only the caller knows.
 */
export interface QueueStore {
  /** In queue order. */
  all(): readonly QueueItem[];
  get(id: ItemId): QueueItem | undefined;
  insert(items: readonly QueueItem[], event: (item: QueueItem) => TimelineChange): Result<void>;
  /** Persists the item; `hashed`, `completing` and `posting` are synced, because their keys precede a request. */
  save(item: QueueItem, event?: TimelineChange): Result<void>;
  /**
   * Like `save`, but an item that cannot be written is still changed in memory: errors must be visible on a full disk
   * too.
   */
  note(item: QueueItem, event?: TimelineChange): void;
  saveHashed(item: QueueItemIn<'hashed'>, manifest: Manifest): Result<void>;
  saveManifest(id: ItemId, manifest: Manifest): Result<void>;
  /**
   * Saves the item and adds it to the library in one transaction; synced, because its spooled files are deleted next.
   */
  saveLinked(item: QueueItemIn<'linked'>): Result<void>;
  /** Synced, because its spooled files are deleted next. */
  remove(id: ItemId, orphaned: OrphanedUpload | null): Result<void>;
  manifest(id: ItemId): Manifest | null;
  addOrphanedUpload(upload: OrphanedUpload): void;
  orphanedUploads(): readonly OrphanedUpload[];
  removeOrphanedUpload(id: UploadId): void;
  /** The position after the last item. */
  end(): number;
  /** Moves an item before another one; null is the end of the queue. */
  move(id: ItemId, before: ItemId | null): Result<void>;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly created_at: number;
  readonly item: string;
}

/**
 * One validator per state: testing every variant on a hundred finished rows would take half the time of a short
 * command.
 */
const checks = new Map(
  QUEUE_ITEMS.map((schema) => [schema.properties.state.const as string, createValidator(schema)] as const),
);

const isItem = (value: unknown): value is QueueItem => {
  const { state } = (value ?? {}) as { readonly state?: unknown };
  return typeof state === 'string' && checks.get(state)?.(value) === true;
};

export interface QueueStoreDeps {
  readonly profile: Profile;
  readonly library: Library;
  readonly timeline: Timeline;
  readonly onChange: () => void;
}

export const createQueueStore = ({ profile, library, timeline, onChange }: QueueStoreDeps): QueueStore => {
  const { database, durably } = profile;
  const select = database.prepare<[], Row>('SELECT * FROM queue ORDER BY position, created_at, id');
  const upsert = database.prepare<[string, string, number, number, string]>(
    `INSERT INTO queue (id, name, position, created_at, item) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, position = excluded.position, item = excluded.item`,
  );
  const setPosition = database.prepare<[number, string]>('UPDATE queue SET position = ? WHERE id = ?');
  const removeRow = database.prepare<[string]>('DELETE FROM queue WHERE id = ?');
  const upsertManifest = database.prepare<[string, string, Buffer]>(
    `INSERT INTO manifest (item_id, identity, hashes) VALUES (?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET identity = excluded.identity, hashes = excluded.hashes`,
  );
  const selectManifest = database.prepare<[string], Manifest>(
    'SELECT identity, hashes FROM manifest WHERE item_id = ?',
  );
  const removeManifest = database.prepare<[string]>('DELETE FROM manifest WHERE item_id = ?');
  const insertOrphaned = database.prepare<[string, string, number]>(
    'INSERT INTO orphaned_uploads (upload_id, account_id, orphaned_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectOrphaned = database.prepare<[], OrphanedUpload>(
    'SELECT upload_id AS uploadId, account_id AS accountId, orphaned_at AS orphanedAt FROM orphaned_uploads',
  );
  const removeOrphaned = database.prepare<[string]>('DELETE FROM orphaned_uploads WHERE upload_id = ?');

  const items = new Map<ItemId, QueueItem>(select.all().map((row) => [row.id as ItemId, itemOf(row)]));
  let ordered: readonly QueueItem[] | null = null;

  const keep = (item: QueueItem) => {
    items.set(item.id, item);
    ordered = null;
    onChange();
  };
  const drop = (id: ItemId) => {
    items.delete(id);
    ordered = null;
    onChange();
  };
  const guarded = (work: () => void): Result<void> => {
    try {
      work();
      return ok(undefined);
    } catch (error) {
      return diskFullOrThrow(error);
    }
  };
  const inTransaction = database.transaction((work: () => void) => work());
  const changesIn = (item: QueueItem, event?: TimelineChange): readonly TimelineChange[] => [
    ...timelineChangesOf(items.get(item.id), item),
    ...(event ? [event] : []),
  ];
  /** Part of the caller's transaction, if there is one. */
  const write = (item: QueueItem, changes: readonly TimelineChange[]) => {
    // An unreadable row is kept for the version that can read it; only its position may change.
    if (item.state === 'unreadable') setPosition.run(item.position, item.id);
    else upsert.run(item.id, item.name, item.position, item.createdAt, JSON.stringify(item));
    if (changes.length > 0) timeline.write(item.id, changes);
  };
  const written = (item: QueueItem, work: () => void): Result<void> => {
    const result = guarded(work);
    if (result.ok) keep(item);
    return result;
  };
  const save = (item: QueueItem, event?: TimelineChange): Result<void> =>
    written(item, () => {
      const changes = changesIn(item, event);
      if (item.state === 'hashed' || item.state === 'completing' || item.state === 'posting')
        durably(() => write(item, changes));
      else if (changes.length > 0) inTransaction(() => write(item, changes));
      // A single statement is its own transaction: keeps the cost of a confirmed part low.
      else write(item, changes);
    });

  const all = () => {
    ordered ??= [...items.values()].sort((a, b) => a.position - b.position || a.createdAt - b.createdAt);
    return ordered;
  };

  return {
    all,
    get: (id) => items.get(id),
    insert(added, event) {
      const result = guarded(() =>
        durably(() => added.forEach((item) => void write(item, changesIn(item, event(item))))),
      );
      if (result.ok) added.forEach(keep);
      return result;
    },
    save,
    note(item, event) {
      try {
        if (save(item, event).ok) return;
      } catch {
        // On a broken or read-only disk the app continues: the item shows its error from memory.
      }
      keep(item);
    },
    saveHashed: (item, manifest) =>
      written(item, () =>
        durably(() => {
          write(item, changesIn(item));
          upsertManifest.run(item.id, manifest.identity, manifest.hashes);
        }),
      ),
    saveManifest: (id, manifest) => guarded(() => void upsertManifest.run(id, manifest.identity, manifest.hashes)),
    saveLinked: (item) =>
      written(item, () =>
        durably(() => {
          write(item, changesIn(item));
          removeManifest.run(item.id);
          library.add(item);
        }),
      ),
    remove(id, orphaned) {
      const result = guarded(() =>
        durably(() => {
          removeRow.run(id);
          if (orphaned) insertOrphaned.run(orphaned.uploadId, orphaned.accountId, orphaned.orphanedAt);
        }),
      );
      if (result.ok) drop(id);
      return result;
    },
    manifest(id) {
      const row = selectManifest.get(id);
      return row ?? null;
    },
    addOrphanedUpload: ({ uploadId, accountId, orphanedAt }) =>
      void guarded(() => void insertOrphaned.run(uploadId, accountId, orphanedAt)),
    orphanedUploads: () => selectOrphaned.all(),
    removeOrphanedUpload: (id) => void guarded(() => void removeOrphaned.run(id)),
    end: () => (all().at(-1)?.position ?? 0) + 1,
    move(id, before) {
      const moving = items.get(id);
      if (!moving) return ok(undefined);
      const others = all().filter((item) => item !== moving);
      const found = before === null ? -1 : others.findIndex((item) => item.id === before);
      const at = found < 0 ? others.length : found;
      const ahead = others[at - 1]?.position ?? (others[0]?.position ?? 0) - 1;
      const behind = others[at]?.position ?? ahead + 2;
      const position = (ahead + behind) / 2;
      // After about fifty halvings of the same gap no position is left between two neighbours: renumbers the whole
      // queue.
      const renumbered =
        position > ahead && position < behind
          ? [{ ...moving, position }]
          : others.toSpliced(at, 0, moving).map(numbered);
      const result = guarded(
        database.transaction(() => renumbered.forEach((item) => void setPosition.run(item.position, item.id))),
      );
      if (result.ok) renumbered.forEach(keep);
      return result;
    },
  };
};

const numbered = (item: QueueItem, index: number): QueueItem => ({ ...item, position: index + 1 });

const itemOf = (row: Row): QueueItem => {
  const value = parse(row.item);
  if (isItem(value)) return { ...value, position: row.position };
  return {
    id: row.id as ItemId,
    state: 'unreadable',
    accountId: null,
    name: row.name || row.id,
    size: 0,
    source: { owner: 'user', path: row.name || row.id },
    job: { kind: 'file', fit: null },
    body: null,
    share: {},
    postPublish: null,
    position: row.position,
    createdAt: row.created_at,
    intent: 'pause',
    attempts: 0,
    error: {
      failure: failure(
        'ITEM_UNREADABLE',
        'This item was written by another version of Linkshot. Remove it, or update.',
      ),
      since: row.created_at,
      retryAt: null,
    },
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by us: shown as unreadable, never deleted.
    return undefined;
  }
};
