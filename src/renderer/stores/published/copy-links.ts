/**
 * Copies the links of published items: automatically when a link is ready, if the settings say so, and when a Copy
 * button is pressed. A link that became ready while the host was out of reach is announced afterwards. Also opens links
 * in the browser.
 */

import { createStore } from 'zustand/vanilla';
import type { ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import { isRecentLink } from '../../../ipc/protocol/link-age.ts';
import type { LinkFormat } from '../../../ipc/protocol/link-settings.ts';
import { afterOutage } from '../after-outage.ts';
import type { EngineStore } from '../engine-store.ts';
import type { CaptureToasts } from '../messages/capture-toasts.ts';
import type { Toasts } from '../messages/toasts.ts';
import type { PageClipboard } from '../page-clipboard.ts';
import { isWebAddress } from './is-web-address.ts';

/** Another program may lock the clipboard for a moment. */
const DELIVERY_MS = 4_000;

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly captureToasts: CaptureToasts;
  readonly clipboard: PageClipboard;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: () => number;
}

interface ReadyLink {
  readonly id: ItemId;
  readonly url: string;
  readonly name: string;
  /** In the preferred format. */
  readonly text: string | Promise<string>;
}

interface LinksState {
  /** Items whose link was copied when it became ready. */
  readonly copied: ReadonlySet<ItemId>;
}

export const createLinks = ({ transport, engine, toasts, captureToasts, clipboard, now }: Deps) => {
  const store = createStore<LinksState>(() => ({ copied: new Set() }));
  const app = () => engine.store.getState().app;

  const isDelivered = (id: ItemId): boolean =>
    app()?.queue.items.some((item) => item.id === id && item.state === 'linked' && item.deliveredAt !== null) ?? false;

  /** A host that copies by itself marks the item shortly afterwards; resolves to whether it did. */
  const deliveredByHost = (id: ItemId): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(limit);
        stop();
        resolve(isDelivered(id));
      };
      const limit = setTimeout(finish, DELIVERY_MS);
      const stop = engine.store.subscribe(() => isDelivered(id) && finish());
      if (isDelivered(id)) finish();
    });

  /** The link in the preferred format, which is known at once where that is the plain one. */
  const textOf = (id: ItemId, url: string): string | Promise<string> =>
    app()?.settings.linkFormat === 'plain'
      ? url
      : engine.ask('link.format', { ids: [id] }).then((formatted) => (formatted.ok ? formatted.value.text : url));

  const markCopied = (id: ItemId): void => store.setState((state) => ({ copied: new Set([...state.copied, id]) }));

  /** Shows that the link of an item is on the clipboard, and that no other one is. */
  const showCopied = (id: ItemId, name: string): void => {
    markCopied(id);
    clipboard.tellCopied(id);
    for (const kind of ['linkWaits', 'linksCopied'] as const) toasts.withdraw(kind);
    const state = app();
    // The capture's toast shows it already.
    if (!state || !captureToasts.shows(state, id)) toasts.show({ kind: 'linkCopied', id, name });
  };

  const copyWhenReady = async (id: ItemId, text: ReadyLink['text']): Promise<boolean> => {
    const who = app()?.capabilities.clipboard;
    if (who !== 'page' && (await deliveredByHost(id))) return true;
    return who !== 'host' && clipboard.write(text);
  };

  const showReady = ({ id, name, url }: Omit<ReadyLink, 'text'>): void => {
    const state = app();
    if (!state || !captureToasts.shows(state, id)) toasts.show({ kind: 'linkReady', id, name, url });
  };

  const announce = async (link: ReadyLink): Promise<void> => {
    const { id, url, text, name } = link;
    const isWanted = app()?.effective.copyLink ?? false;
    if (isWanted && (await copyWhenReady(id, text))) return showCopied(id, name);
    if (!isWanted) return showReady(link);
    // The clipboard still has what was copied before.
    for (const kind of ['linkCopied', 'linksCopied'] as const) toasts.withdraw(kind);
    const waits = { kind: 'linkWaits', id, name, url } as const;
    const write = async (): Promise<boolean> => {
      const isHost = app()?.capabilities.clipboard === 'host';
      const isCopied = isHost ? (await engine.ask('link.copy', { id })).ok : await clipboard.write(text);
      if (isCopied) showCopied(id, name);
      return isCopied;
    };
    const ends = {
      onLeft: () => toasts.show({ ...waits, isLeft: true }),
      onDropped: () => toasts.withdraw('linkWaits'),
    };
    // The message comes afterwards, because an older wait that this one replaces withdraws its own.
    if (clipboard.writeLater(write, ends, id)) toasts.show({ ...waits, isLeft: false });
  };

  /** Announced, or known as ready before an outage. */
  const known = new Set<ItemId>();
  const readyItems = () => app()?.queue.items.filter((item) => item.state === 'linked') ?? [];

  transport.on((event) => {
    if (event.type !== 'linked') return;
    known.add(event.id);
    void announce(event);
  });
  afterOutage(transport, () => {
    for (const { id } of readyItems()) known.add(id);
    return () => {
      const missed = readyItems().filter(({ id, intent }) => !known.has(id) && intent !== 'cancel');
      for (const { id, name, content, linkedAt } of missed.toSorted((a, b) => a.linkedAt - b.linkedAt)) {
        const { url } = content;
        const isCopiedHere = app()?.effective.copyLink && app()?.capabilities.clipboard === 'page';
        if (isRecentLink(linkedAt, now())) void announce({ id, name, url, text: textOf(id, url) });
        else if (isCopiedHere) toasts.show({ kind: 'linkWaits', id, name, url, isLeft: true });
        else showReady({ id, name, url });
      }
    };
  });

  /** Where the browser refuses, a host on the same desktop copies. */
  const writeElseHost = async (text: string | Promise<string>, byHost: () => Promise<unknown>): Promise<boolean> =>
    (await clipboard.write(text)) || (app()?.capabilities.clipboard === 'both' && (await byHost()) !== null);

  /** Resolves to whether `copied` does so; what was copied before is then no longer on the clipboard. */
  const replacing = async (copied: Promise<boolean>): Promise<boolean> => {
    const isCopied = await copied;
    if (isCopied) for (const kind of ['linkCopied', 'linksCopied'] as const) toasts.withdraw(kind);
    return isCopied;
  };

  const copyOne = async (text: () => string | Promise<string>, byHost: () => Promise<unknown>): Promise<boolean> => {
    if (app()?.capabilities.clipboard === 'host') return replacing(byHost().then((reply) => reply !== null));
    const isCopied = await replacing(writeElseHost(text(), byHost));
    if (!isCopied) toasts.show({ kind: 'copyRefused' });
    return isCopied;
  };

  return {
    store,
    /** Resolves to whether the link is on the clipboard; a refusal is shown to the user. */
    copy: (id: ItemId, url: string): Promise<boolean> =>
      copyOne(
        () => textOf(id, url),
        () => engine.run('link.copy', { id }),
      ),
    /** Copies the link in a specific format, given as `text`. Resolves like `copy`. */
    copyAs: (id: ItemId, format: LinkFormat, text: string): Promise<boolean> =>
      copyOne(
        () => text,
        () => engine.run('link.format', { ids: [id], format, to: 'clipboard' }),
      ),
    /** Opens the share page: in the user's browser via the host, or in another tab of this one. */
    open: (id: ItemId, url: string): void => {
      if (app()?.capabilities.clipboard === 'host') void engine.run('link.open', { id });
      else if (isWebAddress(url)) window.open(url, '_blank', 'noopener,noreferrer');
    },
    /** Copies several links, one per line. */
    copyAll: async (ids: readonly ItemId[]): Promise<void> => {
      const format = (to: 'clipboard' | 'answer') => engine.run('link.format', { ids: [...ids], to });
      if (app()?.capabilities.clipboard === 'host') {
        if (await replacing(format('clipboard').then((formatted) => formatted !== null)))
          toasts.show({ kind: 'linksCopied', count: ids.length });
        return;
      }
      const reply = format('answer');
      const copied = await replacing(
        writeElseHost(
          reply.then((formatted) => formatted?.text ?? Promise.reject(new Error('There are no links.'))),
          async () => ((await reply) === null ? null : format('clipboard')),
        ),
      );
      // The failure is shown already.
      if ((await reply) === null) return;
      toasts.show(copied ? { kind: 'linksCopied', count: ids.length } : { kind: 'linksRefused' });
    },
  };
};

export type Links = ReturnType<typeof createLinks>;
