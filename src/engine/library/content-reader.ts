/**
 * Reads for the owner what a published item contains (bytes, files of a folder) and its views per day. These reads do
 * not count as views.
 */
import { buffer } from 'node:stream/consumers';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ContentId, ItemId } from '../../api/ids.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Session } from '../account/account-session.ts';
import { type ArchiveEntry, listArchive, type ReadBytes, readArchived } from '../folder/zip-reader.ts';
import { checkFeature } from '../link-rules.ts';
import { unknownItem } from './change-items.ts';
import type { LibraryApi } from './library-interface.ts';
import type { Library } from './library-store.ts';

export interface ContentReaderDeps {
  readonly library: Library;
  readonly sessionOf: (id: ItemId) => Result<Session>;
}

type ReadCommands = Pick<LibraryApi, 'media' | 'folder' | 'folderFile' | 'views'>;

/** Number of cached file lists of folders; published folders never change. */
const LISTS_KEPT = 4;

export const createContentReader = ({ library, sessionOf }: ContentReaderDeps): ReadCommands => {
  const lists = new Map<ContentId, readonly ArchiveEntry[]>();

  const find = (id: ItemId): Result<{ readonly item: LibraryItem; readonly session: Session }> => {
    const item = library.get(id);
    if (!item) return err(unknownItem());
    const session = sessionOf(id);
    return session.ok ? ok({ item, session: session.value }) : session;
  };

  const reader =
    ({ client }: Session, id: ContentId, signal: AbortSignal): ReadBytes =>
    async (first, last) => {
      const range = first === null ? `bytes=-${last}` : `bytes=${first}-${last}`;
      const reply = await client.media({ id, kind: 'file', range }, signal);
      if (!reply.ok) return reply;
      const { status, range: answered, body } = reply.value;
      const [, from] = /^bytes (\d+)-/.exec(answered ?? '') ?? [];
      if (status !== 206 || from === undefined) {
        body.destroy();
        return err(failure('NOT_THE_SERVICE', 'The service did not return the requested part.', { status }));
      }
      try {
        return ok({ bytes: await buffer(body), start: Number(from) });
      } catch {
        return err(failure('NETWORK_FAILED', 'The connection was lost while the folder was being read.'));
      }
    };

  const listed = async (id: ContentId, read: ReadBytes): Promise<Result<readonly ArchiveEntry[]>> => {
    const known = lists.get(id);
    if (known) return ok(known);
    const files = await listArchive(read);
    if (!files.ok) return files;
    lists.set(id, files.value);
    const [oldest] = lists.keys();
    if (lists.size > LISTS_KEPT && oldest !== undefined) lists.delete(oldest);
    return files;
  };

  return {
    async media(id, kind, range, signal) {
      const found = find(id);
      if (!found.ok) return found;
      const { item, session } = found.value;
      return session.client.media({ id: item.content.id, kind, range }, signal);
    },
    async folder({ id }, signal) {
      const found = find(id);
      if (!found.ok) return found;
      const { item, session } = found.value;
      const files = await listed(item.content.id, reader(session, item.content.id, signal));
      return files.ok ? ok({ files: files.value.map(({ path, size }) => ({ path, size })) }) : files;
    },
    async folderFile({ id, path }, signal) {
      const found = find(id);
      if (!found.ok) return found;
      const { item, session } = found.value;
      const read = reader(session, item.content.id, signal);
      const files = await listed(item.content.id, read);
      if (!files.ok) return files;
      const entry = files.value.find((file) => file.path === path);
      if (!entry) return err(failure('NOT_FOUND', 'The folder has no such file.'));
      const bytes = await readArchived(read, entry);
      return bytes.ok ? ok({ text: bytes.value.toString('utf8') }) : bytes;
    },
    async views({ id, days }, signal) {
      const found = find(id);
      if (!found.ok) return found;
      const { item, session } = found.value;
      const missing = checkFeature('view_stats', session.account);
      if (missing) return err(missing);
      const request = { params: { id: item.content.id }, query: { days: String(days) } };
      return session.client.call('readViews', request, signal);
    },
  };
};
