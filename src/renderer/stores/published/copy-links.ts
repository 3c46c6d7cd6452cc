/** Copies links to the clipboard, when one becomes ready and when a Copy button is pressed. */

import { createStore } from 'zustand/vanilla';
import type { ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { LinkFormat } from '../../../ipc/protocol/link-settings.ts';
import type { EngineStore } from '../engine-store.ts';
import type { PageClipboard } from '../file-input/clipboard.ts';
import type { CaptureToasts } from '../messages/capture-toasts.ts';
import type { Toasts } from '../messages/toasts.ts';

/** Another program may lock the clipboard for a moment. */
const DELIVERY_MS = 4_000;

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly captureToasts: CaptureToasts;
  readonly clipboard: PageClipboard;
}

interface LinksState {
  /** Items whose link was copied when it became ready. */
  readonly copied: ReadonlySet<ItemId>;
}

export const createLinks = ({ transport, engine, toasts, captureToasts, clipboard }: Deps) => {
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

  /**
   * The link in the preferred format. Formatting is asynchronous, and browsers may then reject the write after a click,
   * so it is skipped for plain links.
   */
  const textOf = async (id: ItemId, url: string): Promise<string> => {
    if (app()?.settings.linkFormat === 'plain') return url;
    const formatted = await engine.ask('link.format', { ids: [id] });
    return formatted.ok ? formatted.value.text : url;
  };

  const announce = async (id: ItemId, text: string, name: string): Promise<void> => {
    const byHost = app()?.capabilities.clipboard === 'host';
    const wanted = app()?.effective.copyLink ?? false;
    const copied = wanted && (byHost ? await deliveredByHost(id) : await clipboard.write(text));
    if (copied) store.setState((state) => ({ copied: new Set([...state.copied, id]) }));
    const state = app();
    // The capture's toast shows it already.
    if (state && captureToasts.shows(state, id)) return;
    toasts.show({ kind: copied ? 'linkCopied' : 'linkReady', id, name });
  };

  transport.on((event) => {
    if (event.type === 'linked') void announce(event.id, event.text, event.name);
  });

  return {
    store,
    /** Resolves to whether the link is on the clipboard; a refusal is shown to the user. */
    copy: async (id: ItemId, url: string): Promise<boolean> => {
      if (app()?.capabilities.clipboard === 'host') return (await engine.run('link.copy', { id })) !== null;
      const copied = await clipboard.write(await textOf(id, url));
      if (!copied) toasts.show({ kind: 'copyRefused' });
      return copied;
    },
    /** Copies the link in a specific format, given as `text`. Resolves like `copy`. */
    copyAs: async (id: ItemId, format: LinkFormat, text: string): Promise<boolean> => {
      if (app()?.capabilities.clipboard === 'host')
        return (await engine.run('link.format', { ids: [id], format, to: 'clipboard' })) !== null;
      const copied = await clipboard.write(text);
      if (!copied) toasts.show({ kind: 'copyRefused' });
      return copied;
    },
    /** Opens the share page: in the user's browser via the host, or in another tab of this one. */
    open: (id: ItemId, url: string): void => {
      if (app()?.capabilities.clipboard === 'host') void engine.run('link.open', { id });
      else if (isWebAddress(url)) window.open(url, '_blank', 'noopener,noreferrer');
    },
    /** Copies several links, one per line. */
    copyAll: async (ids: readonly ItemId[]): Promise<void> => {
      const byHost = app()?.capabilities.clipboard === 'host';
      const reply = await engine.run('link.format', { ids: [...ids], to: byHost ? 'clipboard' : 'answer' });
      if (reply === null) return;
      const copied = byHost || (await clipboard.write(reply.text));
      toasts.show(copied ? { kind: 'linksCopied', count: ids.length } : { kind: 'copyRefused' });
    },
  };
};

export type Links = ReturnType<typeof createLinks>;

/** A share page has a web address; other URLs are not made clickable. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
