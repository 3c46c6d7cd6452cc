/**
 * Grants of browsers to items they have opened. A viewer is a cookie of 128 random bits of which only the SHA-256 is
 * stored; a grant binds it to one item in one accessVersion, so that any change of access revokes it.
 */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Brand, ContentId } from '../../api/ids.ts';

/** SHA-256 of a viewer cookie. */
export type Viewer = Buffer & Brand<'Viewer'>;

export const VIEWER_BYTES = 16;

export const viewerOf = (cookie: string): Viewer => createHash('sha256').update(cookie).digest() as Viewer;

export interface Grant {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const createGrants = (database: Database.Database) => {
  const put = database.prepare<[Viewer, ContentId, number, number]>(
    `INSERT INTO grants (viewer, contentId, accessVersion, expiresAt) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET accessVersion = excluded.accessVersion, expiresAt = excluded.expiresAt`,
  );
  const select = database.prepare<[Viewer, ContentId, number, number], Grant>(
    'SELECT expiresAt FROM grants WHERE viewer = ? AND contentId = ? AND accessVersion = ? AND expiresAt > ?',
  );
  const selectViewer = database.prepare<[Viewer], unknown>('SELECT 1 FROM grants WHERE viewer = ? LIMIT 1');
  const removeByContent = database.prepare<[ContentId]>('DELETE FROM grants WHERE contentId = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM grants WHERE expiresAt <= ?');

  return {
    give: (viewer: Viewer, item: { id: ContentId; accessVersion: number }, expiresAt: number): void => {
      put.run(viewer, item.id, item.accessVersion, expiresAt);
    },
    /** The grant that is valid at `now`. */
    live: (viewer: Viewer, item: { id: ContentId; accessVersion: number }, now: number): Grant | undefined =>
      select.get(viewer, item.id, item.accessVersion, now),
    /** Whether this server issued the cookie; a planted value is not accepted. */
    isKnown: (viewer: Viewer): boolean => selectViewer.get(viewer) !== undefined,
    removeAll: (id: ContentId): void => {
      removeByContent.run(id);
    },
    sweep: (now: number): void => {
      removeEnded.run(now);
    },
  };
};
