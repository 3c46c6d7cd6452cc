/**
 * Hooks of a capture toast: the text of its state, closing by itself, hover and focus, deletion, and the link settings
 * of its item.
 */
import { useEffect, useId, useState } from 'react';
import { TTLS, type Ttl, type Visibility } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { LinkChange, LinkOptionsValue } from '../../components/links/link-options.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { ItemView } from '../../stores/queue/item-view.ts';
import { useApp, useAppStores, useIsCopied } from '../../stores/use-app-stores.tsx';

/** Time on screen once the link is ready and the user is not interacting. */
const SHOWN_MS = 5_000;

/** Closes the toast after a while, unless it stays. */
export const useLeaving = (id: ItemId, mode: 'stays' | 'leaves'): void => {
  const { captureToasts } = useAppStores();
  useEffect(() => {
    if (mode === 'stays') return;
    const timer = setTimeout(() => captureToasts.close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [mode, captureToasts, id]);
};

/** Whether the user interacts with the toast by mouse or keyboard. A click alone does not count. */
export const useInteraction = () => {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    isActive: hovered || focused,
    handlers: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: ({ target }: { readonly target: Element }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
};

/** Deletes the item, with an undo as long as the engine keeps it. */
export const useDeletion = (id: ItemId) => {
  const { engine } = useAppStores();
  const [at, setAt] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [wasUndone, setUndone] = useState(false);
  const ids = [id];
  const ask = async (command: 'begin' | 'undo') => {
    const asked =
      command === 'begin'
        ? await engine.ask('library.delete', { ids, when: 'after-undo' })
        : await engine.ask('library.undelete', { ids });
    const answer = asked.ok ? asked.value.answers[0] : null;
    const why = asked.ok ? (answer?.failure ?? null) : asked.error;
    setFailure(why);
    // A request that failed has changed nothing: a deletion whose undo failed still runs.
    if (why !== null) return;
    setAt(answer?.item?.deletingAt ?? null);
    setUndone(command === 'undo');
  };
  return { at, failure, wasUndone, begin: () => void ask('begin'), undo: () => void ask('undo') };
};

/** Changes link settings, before or after publication. */
export const useLinkChange = (item: QueueItem) => {
  const { engine } = useAppStores();
  const visibility = useApp(({ effective }) => effective.visibility);
  const panelId = useId();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Applied optimistically; the item has the result when the response arrives. */
  const [pending, setPending] = useState<Partial<LinkOptionsValue>>({});
  const value = { ...linkOf(item, visibility), ...pending };
  const ids = [item.id];
  const change = async (update: LinkChange) => {
    setPending(update);
    const asked =
      item.state === 'linked'
        ? await engine.ask('library.update', { ids, change: update })
        : await engine.ask('queue.setShare', { ids, change: update });
    setPending({});
    setFailure(asked.ok ? (asked.value.answers[0]?.failure ?? null) : asked.error);
  };
  return { panelId, isOpen, value, failure, change, toggle: () => setOpen((open) => !open) };
};

/** The state as text, including whether the link was copied already. */
export const useStateText = (item: QueueItem, view: ItemView): string => {
  const { t } = useLocale();
  const byPage = useIsCopied(item.id);
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const isCopied = item.state === 'linked' && (byHost ? item.deliveredAt !== null : byPage);
  return t.queue.phase[isCopied ? 'delivered' : view.phase];
};

const DAY_MS = 86_400_000;
const TTL_MS: Record<Ttl, number> = { forever: 0, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
/** Tolerance for expiries: the service counts from publication, not from the item's creation. */
const NEAR_MS = DAY_MS / 2;

const termOf = (createdAt: string, expiresAt: string | null | undefined): Ttl | null => {
  if (expiresAt == null) return 'forever';
  const length = Date.parse(expiresAt) - Date.parse(createdAt);
  return TTLS.find((ttl) => ttl !== 'forever' && Math.abs(TTL_MS[ttl] - length) < NEAR_MS) ?? null;
};

/** The link settings of an item: as published, else as requested. */
export const linkOf = (item: QueueItem, visibility: Visibility | null): LinkOptionsValue => {
  if (item.state === 'linked') {
    const { content } = item;
    const endsAt = content.expiresAt == null ? null : new Date(content.expiresAt);
    const ttl = termOf(content.createdAt, content.expiresAt);
    return { visibility: content.visibility, ttl, oneTime: content.oneTime, endsAt };
  }
  const requested: LinkSettings = { ...item.share, ...item.postPublish };
  return {
    visibility: requested.visibility ?? visibility,
    ttl: requested.expiresAt == null ? (requested.ttl ?? 'forever') : null,
    oneTime: requested.oneTime ?? false,
    endsAt: requested.expiresAt == null ? null : new Date(requested.expiresAt),
  };
};
