/**
 * Resolves arguments of a command to published items (a share link, the id in it, or the app's own id), and takes the
 * result of one item from a reply.
 */

import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { Report } from '../output/command-output.ts';

const find = async (client: EngineClient, word: string): Promise<Result<LibraryItem | null>> => {
  const found = await client.call('library.find', { link: word });
  return found.ok ? ok(found.value.item) : found;
};

/** A host and a path: an id has no slash, and a path alone names no host. */
const WITHOUT_SCHEME = /^(?:\/\/)?[^/]+\/./;

/** Of a link also without its scheme; one that cannot be read is of no service here. */
const hostOf = (word: string): string | null => {
  const link = word.trim();
  const url = URL.parse(link);
  if (url && /^https?:$/.test(url.protocol)) return url.host;
  return WITHOUT_SCHEME.test(link) ? (URL.parse(`https://${link}`)?.host ?? '') : null;
};

/**
 * Whether the word names no service, or the one of the item: by the host of its link or, where no account is there,
 * that of the connection. A service that has moved, or whose links have a host of their own, is known by both.
 */
export const isOfItsService = (
  word: string,
  { content }: Pick<LibraryItem, 'content'>,
  { connection, accounts }: Pick<AppState, 'connection' | 'accounts'>,
): boolean => {
  const [host, own] = [hostOf(word), hostOf(content.url)];
  if (host === null || host === own) return true;
  const isAccountThere = accounts.some(({ connection: { server } }) => hostOf(server) === own);
  return !isAccountThere && connection.state !== 'none' && hostOf(connection.server) === host;
};

/**
 * In the order of the words, each once; unknown items are reported. Items published by another device are looked up at the
 * service, once for all of them, unless there is no `contact` with it. To be changed, an item is not taken for the link
 * of another service that has the same id.
 */
export const resolveItems = async (
  client: EngineClient,
  words: readonly string[],
  report: Report,
  use: 'to read' | 'to change',
  contact: Result<void> = ok(undefined),
): Promise<readonly LibraryItem[]> => {
  const known = new Map<ItemId, LibraryItem>();
  let synced: Result<unknown> | null = null;
  for (const word of words) {
    let found = await find(client, word);
    if (found.ok && found.value === null && !synced && contact.ok) {
      synced = await client.call('library.sync', {});
      if (synced.ok) found = await find(client, word);
    }
    if (!found.ok) report.failed(word, found.error);
    else if (found.value && use === 'to change' && !isOfItsService(word, found.value, client.state()))
      report.failed(word, ofAnotherService(found.value));
    else if (found.value) known.set(found.value.id, found.value);
    else report.failed(word, contact.ok ? notFound(synced) : contact.error);
  }
  return [...known.values()];
};

const ofAnotherService = ({ content: { id, url } }: LibraryItem) =>
  failure('NOT_FOUND', 'The link is of another service.', { params: { asked: 'link', id, url } });

const notFound = (synced: Result<unknown> | null) =>
  synced && !synced.ok
    ? failure('NOT_FOUND', 'No such item in this profile.', { params: { asked: synced.error.code } })
    : failure('NOT_FOUND', 'No such item in this profile or the account.', {
        params: { asked: 'account' },
      });

/** The result for one item: the current item, or why nothing was done. */
export interface Answer {
  readonly item: LibraryItem | null;
  readonly failure: ReturnType<typeof failure> | null;
}

export const resultOf = ({ item, failure: why }: Answer): Result<LibraryItem | null> => (why ? err(why) : ok(item));
