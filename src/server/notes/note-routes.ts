/**
 * Endpoints of notes: `POST /api/v1/pastes` and `GET /api/v1/content/{id}/text` (API decisions 3). Edits use `PATCH
 * /content/{id}` (`items/item-routes.ts`).
 */
import { createHash } from 'node:crypto';
import type { Content, ShareFields } from '../../api/content.ts';
import { API } from '../../api/endpoints/endpoint-table.ts';
import type { ContentId } from '../../api/ids.ts';
import type { CreateNote, NoteText } from '../../api/note.ts';
import { type KeyHolder, keyHolder, keyHolderNow } from '../accounts/authenticate.ts';
import type { ContentRow } from '../content/content-rows.ts';
import { presentContent } from '../content/present-content.ts';
import type { NoteKind, Publisher } from '../content/publish-item.ts';
import { checkTitle } from '../content/title-and-tags.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { invalidInput, ProblemError, serverBusy } from '../problem-details.ts';
import { ANSWERS } from '../sharing/access-rules.ts';
import { changesTooOften, createRequestAccess, isAsBefore, LOOKS } from '../sharing/requester-access.ts';
import { contentGone, sendUnavailable } from '../sharing/unavailable-error.ts';
import { discardObject } from '../storage/write-and-discard-object.ts';
import {
  type DigestedRequest,
  digestedRequest,
  fieldsDigest,
  type IdempotencyScope,
  idempotencyStore,
  replayed,
  twinRunning,
} from '../uploads/idempotency.ts';
import { createNoteObjects } from './note-objects.ts';
import { fileNameOf, kindOf, noteBytes, textIssue, titleOf } from './note-rules.ts';

// Makes `POST /pastes` idempotent: one note per Idempotency-Key, with the rules of single-request uploads (decisions
// 3).

/** What a repeat must have in common with the first request. */
interface CreateRequest {
  readonly bytes: Buffer;
  readonly note: NoteKind;
  readonly fields: ShareFields;
  readonly defaultTitle: string;
}

/**
 * Returns the note that the key has created before, or the result of `make`, which calls `record` in the transaction
 * that publishes. Errors: IDEMPOTENCY_CONFLICT for a concurrent twin and for another note, CONTENT_GONE, and those of
 * `make`, which release the key.
 */
const createIdempotentCreate = (deps: ServerDeps, contentOf: (id: ContentId) => Promise<Content | null>) => {
  const digested = (salt: string, { bytes, note, fields }: CreateRequest): Promise<DigestedRequest> => {
    const text = createHash('sha256').update(`${note.format} ${note.language}\n`).update(bytes).digest('base64url');
    return digestedRequest(fields, async (sent) => `${text} ${await fieldsDigest(salt, sent)}`);
  };

  return async (
    place: IdempotencyScope | null,
    request: CreateRequest,
    make: (record: (tx: Transaction, row: ContentRow) => Promise<void>) => Promise<Content>,
  ): Promise<Content> => {
    if (place === null) return await make(async () => {});
    const twin = `${place.account.id} ${place.key}`;
    const accountId = place.account.id;
    const limit = Number.MAX_SAFE_INTEGER;
    const slot = await deps.slots.take({ accountId, kind: 'note', name: place.key, limit, takesOver: false });
    if (typeof slot === 'string') throw twinRunning();
    try {
      const asked = await digested(twin, request);
      const before = await idempotencyStore(deps.records, deps).find(place);
      if (before !== undefined) return await replayed(before, asked, contentOf, () => request.defaultTitle);
      const { digest } = asked;
      return await make((tx, { id }) => idempotencyStore(tx, deps).record(place, { digest, contentId: id }));
    } finally {
      await slot.release();
    }
  };
};

/** The type of every note in `GET /api/media/{id}`, regardless of its content. */
const NOTE_MIME = 'text/plain';
const READ_MS = 30_000;

interface NoteRoutesDeps {
  readonly publisher: Publisher;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Promise<Content | null>;
}

export const registerNoteRoutes = (app: App, deps: ServerDeps, { publisher, contentOf }: NoteRoutesDeps): void => {
  const { records } = deps;
  const noteObjects = createNoteObjects(deps);
  const visits = createRequestAccess(deps);
  const once = createIdempotentCreate(deps, contentOf);

  /** `requester` rejects when the key has ended, which may happen while the password is hashed and the text is stored. */
  const create = async (
    requester: () => Promise<KeyHolder>,
    { text, format, language, ...fields }: CreateNote,
    place: IdempotencyScope | null,
  ): Promise<Content> => {
    const issue = textIssue(text);
    if (issue !== null) throw invalidInput(issue);
    const note = kindOf({ format, language }, null);
    if ('path' in note) throw invalidInput(note);
    const bytes = noteBytes(text);
    const defaultTitle = checkTitle(titleOf(text, format));
    return await once(place, { bytes, note, fields, defaultTitle }, async (record) => {
      const title = checkTitle(fields.title ?? '') || defaultTitle;
      const prepared = await publisher.prepare({ ...fields, title }, '');
      const objectId = await noteObjects.write(bytes);
      try {
        const { account } = await requester();
        const published = await records.transaction(async (tx) => {
          const row = await publisher.publish(tx, account.id, {
            objectId,
            type: 'PASTE',
            mime: NOTE_MIME,
            size: bytes.length,
            originalName: fileNameOf(prepared.title, note),
            note,
            fields: prepared,
          });
          await record(tx, row);
          return row;
        });
        return presentContent(deps, published);
      } catch (error) {
        await discardObject(deps, objectId, error);
        throw error;
      }
    });
  };

  app.route({
    ...routeOf(API.createNote),
    handler: async (request, reply) => {
      const { account } = keyHolder(request);
      const key = request.headers['idempotency-key'];
      const place = key === undefined ? null : { account, route: API.createNote.path, key };
      const content = await create(() => keyHolderNow(request), request.body, place);
      return reply.code(201).send({ ...content, content });
    },
  });

  /** Null: the note was deleted. Rejects when its text cannot be read, also because it was edited or deleted meanwhile. */
  const textOf = async ({ objectId, size, revision, ...row }: ContentRow): Promise<NoteText | null> => {
    if (objectId === null || row.pasteFormat === null) return null;
    const inTime = AbortSignal.timeout(READ_MS);
    const bytes = await noteObjects.read({ objectId, size }, inTime).catch((error: unknown) => {
      throw inTime.aborted ? serverBusy('The storage of the server does not answer; try again soon.') : error;
    });
    return { text: bytes.toString('utf8'), format: row.pasteFormat, language: row.pasteLanguage, revision };
  };

  app.route({
    ...routeOf(API.readNoteText),
    handler: async (request, reply) => {
      let seen = await visits.lookByKey(request, request.params.id);
      for (let look = 1; look <= LOOKS; look += 1) {
        const { row, standing } = seen;
        const { api, media } = ANSWERS[standing];
        if (api === 'gone-to-owner' && row !== undefined && visits.isOwner(request, row)) throw contentGone();
        if (row === undefined || api === 'unavailable' || api === 'gone-to-owner') return sendUnavailable(reply);
        if (row.type !== 'PASTE') throw invalidInput({ path: '/id', message: 'must be that of a note' });
        if (media !== 'serve')
          throw new ProblemError(
            'SHARE_OPEN_REQUIRED',
            'The text of this note is shown on its page only; open the link.',
          );
        const [text] = await Promise.allSettled([textOf(row)]);
        // The key may have been revoked during the read, and the item changed.
        if (standing === 'owner') await keyHolderNow(request);
        const now = await visits.lookByKey(request, row.id);
        if (isAsBefore(seen, now)) {
          if (text.status === 'rejected') throw text.reason;
          if (text.value !== null) return text.value;
        }
        seen = now;
      }
      throw changesTooOften();
    },
  });
};
