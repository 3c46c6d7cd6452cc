/**
 * Makes `POST /pastes` idempotent: one note per Idempotency-Key, with the rules of single-request uploads (decisions
 * 3).
 */
import { createHash } from 'node:crypto';
import type { Content, ShareFields } from '../../api/content.ts';
import type { ContentId } from '../../api/ids.ts';
import type { ContentRow } from '../content/content-store.ts';
import type { ServerDeps } from '../deps.ts';
import { completeDigest } from '../uploads/complete-digest.ts';
import { createIdempotencyStore, type ReplayPlace, replayed, twinRunning } from '../uploads/idempotency-store.ts';
import type { NoteKind } from './note-rules.ts';

/** What a repeat must have in common with the first request. */
interface CreateRequest {
  readonly bytes: Buffer;
  readonly note: NoteKind;
  readonly fields: ShareFields;
}

/**
 * Returns the note that the key has created before, or the result of `make`, which calls `record` in the transaction
 * that publishes. Errors: IDEMPOTENCY_CONFLICT for a concurrent twin and for another note, CONTENT_GONE, and those of
 * `make`, which release the key.
 */
export const createIdempotentCreate = (deps: ServerDeps, contentOf: (id: ContentId) => Content | null) => {
  const replays = createIdempotencyStore(deps);
  const running = new Set<string>();

  const digestOf = async (salt: string, { bytes, note, fields }: CreateRequest): Promise<string> => {
    const text = createHash('sha256').update(`${note.format} ${note.language}\n`).update(bytes).digest('base64url');
    return `${text} ${await completeDigest(salt, fields)}`;
  };

  return async (
    place: ReplayPlace | null,
    request: CreateRequest,
    make: (record: (row: ContentRow) => void) => Promise<Content>,
  ): Promise<Content> => {
    if (place === null) return await make(() => {});
    const twin = `${place.account.id} ${place.key}`;
    if (running.has(twin)) throw twinRunning();
    running.add(twin);
    try {
      const digest = await digestOf(twin, request);
      const before = replays.find(place);
      if (before !== undefined) return replayed(before, digest, contentOf);
      return await make(({ id }) => replays.record(place, { digest, contentId: id }));
    } finally {
      running.delete(twin);
    }
  };
};
