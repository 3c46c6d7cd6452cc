/**
 * Updates and refreshes published items; the library and the queue then show the service's reply. Also recognises that
 * an item is missing at the service.
 */

import type { Content, UpdateContent, Visibility } from '../../api/content.ts';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { AccountId, ContentId, ItemId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { type Retagging, retagged } from '../../api/tag-rules.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { ItemChange } from '../../ipc/protocol/link-settings.ts';
import type { Session } from '../account/account-session.ts';
import { checkFeatures, normaliseExpiry, validateLink } from '../link-rules.ts';
import type { Clock } from '../ports.ts';
import { createSequencersOf } from '../sequencer.ts';
import type { ItemAnswer } from './library-interface.ts';
import type { Library } from './library-store.ts';

/** The rows of published items in the queue, which follow the library. */
export interface LinkedRows {
  /** Shows the current content where the item has a row. */
  update(id: ItemId, content: Content): void;
  /** The user has the link of the item. */
  markCopied(id: ItemId): void;
  /** Errors: DISK_FULL; the row is then unchanged. */
  remove(id: ItemId): Result<void>;
  /** Whether an item is published under this id whose settings are not applied yet. */
  isPublishing(id: ContentId): boolean;
}

export interface ChangesDeps {
  readonly clock: Clock;
  readonly library: Library;
  readonly rows: LinkedRows;
  /** For work of this account; null: the active one. */
  readonly session: (accountId: AccountId | null) => Result<Session>;
  /** Items of the library have changed. */
  readonly onChange: () => void;
  /** The item's link has changed. */
  readonly onNewLink: (before: LibraryItem, now: LibraryItem) => void;
}

export interface Changes {
  refresh(id: ItemId, signal: AbortSignal): Promise<ItemAnswer>;
  update(id: ItemId, change: ItemChange, signal: AbortSignal): Promise<ItemAnswer>;
  /** Sends any change of the item, including a note's text, and stores the reply. */
  send(item: LibraryItem, change: UpdateContent, signal: AbortSignal): Promise<Result<LibraryItem>>;
  sessionOf(id: ItemId): Result<Session>;
}

/** Whether the service reports the item as missing. */
export const isGone = ({ code }: Failure): boolean =>
  code === 'SHARE_UNAVAILABLE' || code === 'NOT_FOUND' || code === 'CONTENT_GONE';

export const unknownItem = (): Failure => failure('COMMAND_INVALID', 'This item is not in the library.');

const tooManyTags = (): Failure =>
  failure('TOO_MANY_TAGS', `An item can have at most ${LIMITS.tagsMax} tags.`, { params: { limit: LIMITS.tagsMax } });

export const createChanges = (deps: ChangesDeps): Changes => {
  const { clock, library, rows } = deps;
  /** Serializes the requests for one item, so that they arrive in order and no older reply overwrites a newer one. */
  const sequencers = createSequencersOf<ItemId>();

  const answer = (id: ItemId, reason: Failure | null): ItemAnswer => ({ id, item: library.get(id), failure: reason });

  const keep = (item: LibraryItem, content: Content): LibraryItem => {
    library.put(item.id, content);
    rows.update(item.id, content);
    const now: LibraryItem = { ...item, content, goneAt: null };
    if (content.url !== item.content.url) deps.onNewLink(item, now);
    deps.onChange();
    return now;
  };

  const sessionOf = (id: ItemId): Result<Session> => deps.session(library.accountOf(id));

  /** Marks a missing item; the library keeps its row until the user removes it. */
  const failed = (item: LibraryItem, reason: Failure): Failure => {
    if (isGone(reason)) {
      library.markGone(item.id, clock.now());
      deps.onChange();
    }
    return reason;
  };

  const sendNow: Changes['send'] = async (item, change, signal) => {
    const session = sessionOf(item.id);
    if (!session.ok) return session;
    const reply = await session.value.client.call(
      'updateContent',
      { params: { id: item.content.id }, json: change },
      signal,
    );
    return reply.ok ? ok(keep(item, reply.value)) : err(failed(item, reply.error));
  };

  const read = async (item: LibraryItem, { client }: Session, signal: AbortSignal): Promise<Result<LibraryItem>> => {
    const reply = await client.call('readContent', { params: { id: item.content.id } }, signal);
    return reply.ok ? ok(keep(item, reply.value)) : err(failed(item, reply.error));
  };

  /** Reads the item and computes its new tags; a tag added elsewhere is kept. */
  const retag = async (
    item: LibraryItem,
    requested: Retagging,
    session: Session,
    signal: AbortSignal,
  ): Promise<Result<{ readonly now: LibraryItem; readonly tags: string[] }>> => {
    // The service replaces all tags, so the current ones are read first.
    const now = await read(item, session, signal);
    if (!now.ok) return now;
    const tags = retagged(now.value.content.tags, requested);
    const refusal = tags.length > LIMITS.tagsMax ? tooManyTags() : validateLink({ tags }, clock.now());
    return refusal ? err(refusal) : ok({ now: now.value, tags });
  };

  const refresh: Changes['refresh'] = async (id, signal) => {
    const item = library.get(id);
    if (!item) return answer(id, unknownItem());
    const session = sessionOf(id);
    if (!session.ok) return answer(id, session.error);
    const reply = await read(item, session.value, signal);
    // A missing item is a valid result of a refresh, not a failure.
    return answer(id, reply.ok || isGone(reply.error) ? null : reply.error);
  };

  /**
   * The service takes a link for unopened once one-time was off. Until it is on again the item is private, so that an
   * interruption leaves it private; the same change then continues.
   */
  const rearm = async (item: LibraryItem, visibility: Visibility, signal: AbortSignal): Promise<ItemAnswer> => {
    const closed = item.content.oneTime
      ? await sendNow(item, { oneTime: false, visibility: 'private' }, signal)
      : ok(item);
    if (!closed.ok) return answer(item.id, closed.error);
    const opened = await sendNow(closed.value, { oneTime: true, visibility }, signal);
    return answer(item.id, opened.ok ? null : opened.error);
  };

  const update: Changes['update'] = async (id, { addTags, removeTags, rearm: rearmed, ...requested }, signal) => {
    const item = library.get(id);
    if (!item) return answer(id, unknownItem());
    const session = sessionOf(id);
    if (!session.ok) return answer(id, session.error);
    if (rearmed !== undefined) return rearm(item, rearmed, signal);
    const change = normaliseExpiry(requested);
    const refusal = validateLink(change, clock.now()) ?? checkFeatures(change, session.value.account, item.content);
    if (refusal) return answer(id, refusal);
    if (!addTags && !removeTags) {
      const sent = await sendNow(item, change, signal);
      return answer(id, sent.ok ? null : sent.error);
    }
    if (change.tags) return answer(id, failure('COMMAND_INVALID', 'Change all tags or some of them, not both.'));
    const retagging = await retag(item, { addTags, removeTags }, session.value, signal);
    if (!retagging.ok) return answer(id, retagging.error);
    const { now, tags } = retagging.value;
    const fullChange = tags.join() === now.content.tags.join() ? change : { ...change, tags };
    if (Object.keys(fullChange).length === 0) return answer(id, null);
    const sent = await sendNow(now, fullChange, signal);
    return answer(id, sent.ok ? null : sent.error);
  };

  return {
    sessionOf,
    send: (item, change, signal) => sequencers.run(item.id, () => sendNow(item, change, signal)),
    refresh: (id, signal) => sequencers.run(id, () => refresh(id, signal)),
    update: (id, change, signal) => sequencers.run(id, () => update(id, change, signal)),
  };
};
