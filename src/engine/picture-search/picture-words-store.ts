/**
 * Stores the recognised text of published pictures for the search, and the list of pictures that are still to be read.
 * The app deletes its own picture files after the upload, so a hard link or a copy of each is kept until the picture is
 * read or given up; at most 200 pictures wait.
 */
import { existsSync, linkSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemId } from '../../api/ids.ts';
import { makePrivateFolder } from '../../base/node/private-folder.ts';
import { copyFileSync, rmSync } from '../../base/node/retrying-fs.ts';
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import { folded } from '../library/normalise-search-text.ts';
import type { Profile } from '../profile/database.ts';

interface PendingPicture {
  readonly id: ItemId;
  readonly path: string;
}

export interface PictureWords {
  /** Notes a published picture, before its files are released. Never throws: the words are a convenience. */
  add(item: QueueItemIn<'linked'>): void;
  /** The newest picture to read whose file is as it was published; forgets others. Null: none. */
  next(): PendingPicture | null;
  pending(): number;
  /** Stores the text of an item of the library, and what its codes hold; of another one nothing. */
  put(id: ItemId, content: Pick<PictureContent, 'text' | 'codes'>): void;
  /** Marks a picture that cannot be read: it is not tried again after the last attempt. */
  failed(id: ItemId, when: 'for ever' | 'this time'): void;
  /** Forgets all words and pictures to read. */
  clear(): void;
  /** Deletes kept pictures that no item needs. */
  sweep(): void;
}

const FOLDER = 'unread-pictures';
/** Older ones are forgotten. */
const KEPT_MAX = 200;
const BYTES_MAX = 64 * 1024 * 1024;
const ATTEMPTS_MAX = 3;

/** Null also where the path cannot be reached, such as on a network drive that is away. */
const identityOf = (path: string): string | null => {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= BYTES_MAX ? `${stats.size}:${stats.mtimeMs}` : null;
  } catch {
    return null;
  }
};

export const createPictureWords = ({ database }: Profile, profileDir: string): PictureWords => {
  const folder = join(profileDir, FOLDER);
  const keptPath = (id: ItemId): string => join(folder, id);
  const insert = database.prepare<[string, string, string]>(
    `INSERT OR IGNORE INTO picture_words (item_id, state, path, identity)
     SELECT id, 'pending', ?, ? FROM library WHERE id = ?`,
  );
  const all = database.prepare<[], { item_id: ItemId; path: string; identity: string }>(
    `SELECT item_id, path, identity FROM picture_words WHERE state = 'pending' ORDER BY rowid DESC`,
  );
  const count = database.prepare<[], number>(`SELECT count(*) FROM picture_words WHERE state = 'pending'`).pluck();
  const remove = database.prepare<[string]>('DELETE FROM picture_words WHERE item_id = ?');
  const read = database.prepare<[string, string]>(
    `INSERT INTO picture_words (item_id, state) SELECT id, ? FROM library WHERE id = ?
     ON CONFLICT (item_id) DO UPDATE SET state = excluded.state, path = NULL, identity = NULL`,
  );
  const seqOf = database.prepare<[string], number>('SELECT seq FROM library WHERE id = ?').pluck();
  const index = database.prepare<[number, string]>('INSERT OR REPLACE INTO picture_index (rowid, words) VALUES (?, ?)');
  const attempt = database
    .prepare<[string], number>('UPDATE picture_words SET attempts = attempts + 1 WHERE item_id = ? RETURNING attempts')
    .pluck();

  /** A file of the app is deleted once it is published, so it gets a second name. */
  const keep = (id: ItemId, path: string): string => {
    const kept = keptPath(id);
    makePrivateFolder(folder);
    rmSync(kept, { force: true });
    try {
      linkSync(path, kept);
    } catch {
      // Not every file system has links.
      copyFileSync(path, kept);
    }
    return kept;
  };

  const release = (id: ItemId): void => rmSync(keptPath(id), { force: true });

  const forget = (id: ItemId): void => {
    remove.run(id);
    release(id);
  };

  const settle = (id: ItemId, state: 'read' | 'failed'): void => {
    read.run(state, id);
    release(id);
  };

  return {
    add({ id, job, content, source, body }) {
      if (job.kind !== 'file' || content.type !== 'IMAGE') return;
      try {
        const path = source.owner === 'user' ? source.path : (body?.path ?? source.path);
        if (identityOf(path) === null) return;
        const readable = source.owner === 'user' ? path : keep(id, path);
        insert.run(readable, identityOf(readable) ?? '', id);
        for (const { item_id } of all.all().slice(KEPT_MAX)) forget(item_id);
      } catch {
        // A full disk, or a folder that cannot be written.
      }
    },
    next() {
      for (const { item_id: id, path: stored, identity } of all.all()) {
        // The folder of the profile may have been moved.
        const path = existsSync(keptPath(id)) ? keptPath(id) : stored;
        if (identityOf(path) === identity) return { id, path };
        forget(id);
      }
      return null;
    },
    pending: () => count.get() ?? 0,
    put: database.transaction((id: ItemId, { text, codes }: Pick<PictureContent, 'text' | 'codes'>) => {
      const seq = seqOf.get(id);
      if (seq === undefined) return;
      index.run(seq, folded([text, ...codes.map((code) => code.text)].join('\n')));
      settle(id, 'read');
    }),
    failed(id, when) {
      if (when === 'for ever' || (attempt.get(id) ?? ATTEMPTS_MAX) >= ATTEMPTS_MAX) settle(id, 'failed');
    },
    clear() {
      database.transaction(() => {
        database.exec(`DELETE FROM picture_words; INSERT INTO picture_index (picture_index) VALUES ('delete-all')`);
      })();
      rmSync(folder, { recursive: true, force: true });
    },
    sweep() {
      if (!existsSync(folder)) return;
      const wanted = new Set<string>(all.all().map(({ item_id }) => item_id));
      for (const name of readdirSync(folder)) if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
};
