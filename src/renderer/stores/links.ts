/** Brings links to the person: on the clipboard when one is ready, and whenever a Copy button is pressed. */

import type { PageTransport } from '../../bridge/transport.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { PageClipboard } from './clipboard.ts';
import type { EngineStore } from './engine.ts';
import type { Toasts } from './toasts.ts';

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly clipboard: PageClipboard;
}

export const createLinks = ({ transport, engine, toasts, clipboard }: Deps) => {
  const app = () => engine.store.getState().app;

  const announce = async (url: string, name: string): Promise<void> => {
    const wanted = app()?.settings.copyLink ?? false;
    // Where the host reaches the clipboard, it has copied before it said so.
    const copied = wanted && (app()?.capabilities.clipboard === 'host' || (await clipboard.write(url)));
    toasts.show({ kind: copied ? 'linkCopied' : 'linkReady', name });
  };

  transport.on((event) => {
    if (event.type === 'linked') void announce(event.url, event.name);
  });

  return {
    /** Answers whether the link is on the clipboard now; a refusal is told to the person. */
    copy: async (id: ItemId, url: string): Promise<boolean> => {
      if (app()?.capabilities.clipboard === 'host') return (await engine.run('link.copy', { id })) !== null;
      const copied = await clipboard.write(url);
      if (!copied) toasts.show({ kind: 'copyRefused' });
      return copied;
    },
  };
};

export type Links = ReturnType<typeof createLinks>;

/** A share page is a web address; anything else in its place is not made clickable. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
