/**
 * Changes the link settings of unpublished items. Once a request that may publish the item has been sent, every retry
 * sends the same fields: later changes are applied right after publishing, and a new password is refused. If the
 * service refused these fields, nothing was published, so the fields and the password may change again.
 */

import type { Account } from '../../../api/account.ts';
import { type Failure, failure, ok } from '../../../api/errors.ts';
import type { AccountId, ItemId } from '../../../api/ids.ts';
import type { LinkSettings, PostPublishSettings } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { CommandsOf } from '../../command-types.ts';
import { checkFeatures, normaliseExpiry, validateLink } from '../../link-rules.ts';
import type { Clock } from '../../ports.ts';
import { beforePublishing, hasWork, type WorkItem } from '../queue-item-states.ts';
import type { Runner } from '../queue-runner.ts';
import type { QueueStore } from '../queue-store.ts';
import { settingsChanged } from '../timeline/timeline-reducer.ts';
import type { Passwords } from './link-passwords.ts';
import { splitSettings } from './requested-link-settings.ts';

export interface ChangeLinkSettingsDeps {
  readonly clock: Clock;
  readonly store: QueueStore;
  readonly runner: Runner;
  readonly passwords: Passwords;
  /** The account as last read; null where it is unknown. */
  readonly account: (id: AccountId | null) => Account | null;
}

export const createLinkSettingsChange = ({
  clock,
  store,
  runner,
  passwords,
  account,
}: ChangeLinkSettingsDeps): Pick<CommandsOf<'queue'>, 'setShare'> => {
  const set = async (id: ItemId, requested: LinkSettings): Promise<Failure | null> => {
    const item = reopen(id);
    if (!item) return NOT_WAITING;
    const { password, ...change } = normaliseExpiry(requested);
    const owner = account(item.accountId);
    const merged = { ...item.share, ...item.postPublish, ...requested };
    const refusal = validateLink(merged, clock.now()) ?? (owner && checkFeatures(change, owner, null));
    if (refusal) return refusal;
    if (password !== undefined) {
      const refused = await setPassword(id, password);
      if (refused) return refused;
    }
    const now = store.get(id);
    if (!now || !hasWork(now)) return NOT_WAITING;
    const saved = store.save(changed(now, change), settingsChanged(requested));
    runner.wake();
    return saved.ok ? null : saved.error;
  };

  /** A request that the service refused for its fields has published nothing: the item may get other fields. */
  const reopen = (id: ItemId): WorkItem | null => {
    const item = store.get(id);
    if (!item || !hasWork(item)) return null;
    if (item.error?.retryAt !== null || !REFUSED_FIELDS.has(item.error.failure.code)) return item;
    const before = beforeSending(item);
    store.note(before);
    return before;
  };

  /** Interrupts the item's work and holds it back, so that nothing is sent while the password changes. */
  const setPassword = (id: ItemId, password: string): Promise<Failure | null> =>
    runner.hold(id, async () => {
      const item = store.get(id);
      if (!item || !hasWork(item)) return NOT_WAITING;
      if (hasFixedFields(item)) return TOO_LATE;
      const done = password === '' ? await passwords.forget(id) : await passwords.keep(id, password);
      return done.ok ? null : done.error;
    });

  return {
    async setShare({ ids, change }) {
      const answers: { id: ItemId; failure: Failure | null }[] = [];
      for (const id of ids) answers.push({ id, failure: await set(id, change) });
      return ok({ answers });
    },
  };
};

const NOT_WAITING = failure(
  'COMMAND_INVALID',
  'This item has already been published or removed. Change its link settings instead.',
);
const TOO_LATE = failure('COMMAND_INVALID', 'This item is being published now. Set its password when it is done.');

/** Whether a request that contains the fields may have been sent. */
const hasFixedFields = ({ state }: QueueItem): boolean =>
  state === 'completing' || state === 'posting' || state === 'published';

const beforeSending = (item: WorkItem): WorkItem => {
  switch (item.state) {
    case 'completing': {
      const { completeKey: _, ...sent } = item;
      return { ...sent, state: 'sent' };
    }
    case 'posting':
      return beforePublishing(item);
    default:
      return item;
  }
};

const changed = (item: WorkItem, change: PostPublishSettings): QueueItem => {
  // The change may have fixed the error.
  const error = item.error?.retryAt === null && FIXABLE.has(item.error.failure.code) ? null : item.error;
  if (hasFixedFields(item)) {
    return { ...item, error, postPublish: needed(item, { ...without(item.postPublish, change), ...change }) };
  }
  const { fields, postPublish } = splitSettings({ ...item.share, ...without(item.postPublish, change), ...change });
  const { ttl: _, ...untimed } = fields;
  return { ...item, error, share: postPublish?.expiresAt ? untimed : fields, postPublish };
};

/** The settings that are left to apply; null: none. */
const needed = (item: WorkItem, settings: PostPublishSettings): PostPublishSettings | null => {
  const left = item.state === 'published' ? allowedByPlan(item, settings) : beyond(item.share, settings);
  return Object.keys(left).length > 0 ? left : null;
};

/** Drops what the fields of the publishing request make true already. */
const beyond = (
  share: WorkItem['share'],
  { viewLimit, allowDownload, ttl, ...rest }: PostPublishSettings,
): PostPublishSettings => ({
  ...rest,
  ...(viewLimit != null && { viewLimit }),
  ...(allowDownload === false && { allowDownload }),
  ...(ttl && ttl !== (share.ttl ?? 'forever') && { ttl }),
});

/**
 * A request with the earlier settings may be under way or its reply lost, so none counts as in effect. Only a limit
 * that the service has refused is dropped with its removal, which the plan may not include either.
 */
const allowedByPlan = (
  { content, attempts, error }: QueueItemIn<'published'>,
  settings: PostPublishSettings,
): PostPublishSettings => {
  const { viewLimit, ...rest } = settings;
  const isRefused = attempts === 0 && error?.retryAt === null;
  return viewLimit === null && isRefused && content.viewLimit == null ? rest : settings;
};

/** Of `ttl` and `expiresAt` the later change wins. */
const without = (before: PostPublishSettings | null, { ttl, expiresAt }: PostPublishSettings): PostPublishSettings => {
  const { ttl: oldTtl, expiresAt: oldEnd, ...rest } = before ?? {};
  if (ttl !== undefined || expiresAt !== undefined) return rest;
  return { ...rest, ...(oldTtl && { ttl: oldTtl }), ...(oldEnd && { expiresAt: oldEnd }) };
};

const REFUSED_FIELDS: ReadonlySet<Failure['code']> = new Set(['ONE_TIME_NOT_PUBLIC', 'INVALID_INPUT']);
const FIXABLE: ReadonlySet<Failure['code']> = new Set([...REFUSED_FIELDS, 'PLAN_FEATURE_REQUIRED']);
