/**
 * Endpoints of notes: `POST /api/v1/pastes` and `GET /api/v1/content/{id}/text` (decisions 3). Edits use `PATCH
 * /content/{id}`.
 */

import type { Content } from '../../api/content.ts';
import { API } from '../../api/endpoints/table.ts';
import type { ContentId } from '../../api/ids.ts';
import type { CreateNote, NoteText } from '../../api/note.ts';
import type { AccountRow } from '../accounts/accounts.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { presentContent } from '../content/content-reply.ts';
import { contentGone } from '../content/content-routes.ts';
import type { ContentRow } from '../content/content-store.ts';
import type { Publisher } from '../content/publish-item.ts';
import { checkTitle } from '../content/share-fields.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import { invalidInput, ProblemError, serverBusy } from '../problem.ts';
import { ANSWERS } from '../sharing/access-table.ts';
import { createRequestAccess } from '../sharing/request-access.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import type { ReplayPlace } from '../uploads/idempotency-store.ts';
import { createIdempotentCreate } from './idempotent-create.ts';
import { createNoteObjects } from './note-objects.ts';
import { fileNameOf, kindOf, noteBytes, textIssue } from './note-rules.ts';
import { titleOf } from './note-title.ts';

/** The type of every note in `GET /api/media/{id}`, regardless of its content. */
const NOTE_MIME = 'text/plain';
/** Maximum reads of a note that is being edited. */
const LOOKS = 5;
const READ_MS = 30_000;

export interface NoteRoutesDeps {
  readonly publisher: Publisher;
  /** The item as its owner sees it; null if deleted or expired. */
  readonly contentOf: (id: ContentId) => Content | null;
}

export const registerNoteRoutes = (app: App, deps: ServerDeps, { publisher, contentOf }: NoteRoutesDeps): void => {
  const { database, objects } = deps;
  const noteObjects = createNoteObjects(deps);
  const visits = createRequestAccess(deps);
  const once = createIdempotentCreate(deps, contentOf);

  const create = async (
    account: AccountRow,
    { text, format, language, ...fields }: CreateNote,
    place: ReplayPlace | null,
  ): Promise<Content> => {
    const issue = textIssue(text);
    if (issue !== null) throw invalidInput(issue);
    const note = kindOf({ format, language }, null);
    if ('path' in note) throw invalidInput(note);
    const bytes = noteBytes(text);
    return await once(place, { bytes, note, fields }, async (record) => {
      const title = checkTitle(fields.title ?? '') || titleOf(text, format);
      const prepared = await publisher.prepare({ ...fields, title }, '');
      const objectId = await noteObjects.write(bytes);
      try {
        const publish = database.transaction((): ContentRow => {
          const row = publisher.publish(account.id, {
            objectId,
            type: 'PASTE',
            mime: NOTE_MIME,
            size: bytes.length,
            originalName: fileNameOf(prepared.title, note),
            note,
            fields: prepared,
          });
          record(row);
          return row;
        });
        return presentContent(deps, publish.immediate());
      } catch (error) {
        await objects.remove(objectId);
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
      const content = await create(account, request.body, place);
      return reply.code(201).send({ ...content, content });
    },
  });

  /** Null: the note was edited or deleted during the read. */
  const textOf = async ({ objectId, size, revision, ...row }: ContentRow): Promise<NoteText | null> => {
    if (objectId === null || row.pasteFormat === null) return null;
    const bytes = await noteObjects.read({ objectId, size }, AbortSignal.timeout(READ_MS)).catch(() => null);
    return bytes && { text: bytes.toString('utf8'), format: row.pasteFormat, language: row.pasteLanguage, revision };
  };

  app.route({
    ...routeOf(API.readNoteText),
    handler: async (request, reply) => {
      for (let look = 1; look <= LOOKS; look += 1) {
        const { row, standing } = visits.lookByKey(request, request.params.id);
        const { api, media } = ANSWERS[standing];
        if (api === 'gone-to-owner' && row !== undefined && visits.isOwner(request, row)) throw contentGone();
        if (row === undefined || api === 'unavailable' || api === 'gone-to-owner') return sendUnavailable(reply);
        if (row.type !== 'PASTE') throw invalidInput({ path: '/id', message: 'must be that of a note' });
        if (media !== 'serve')
          throw new ProblemError(
            'SHARE_OPEN_REQUIRED',
            'The text of this note is shown on its page only; open the link.',
          );
        const text = await textOf(row);
        if (text !== null) return text;
      }
      throw serverBusy('The note is being changed all the time; try again soon.');
    },
  });
};
