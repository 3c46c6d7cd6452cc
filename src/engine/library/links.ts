/** What a person does with a finished item's link: copies it or opens it, whether it is in the queue or the library. */
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { Engine } from '../door.ts';
import type { Clipboard, Clock, Opener } from '../ports.ts';
import type { QueueStore } from '../queue/store.ts';
import type { Library } from './store.ts';

export interface LinksDeps {
  readonly clock: Clock;
  readonly clipboard: Clipboard | null;
  readonly opener: Opener;
}

export const createLinks = (
  { clock, clipboard, opener }: LinksDeps,
  library: Library,
  store: QueueStore,
): Pick<Engine, 'copyLink' | 'openLink'> => {
  const urlOf = (id: ItemId): Result<string> => {
    const item = library.get(id);
    return item ? ok(item.content.url) : err(failure('COMMAND_INVALID', 'This item has no link yet.'));
  };
  return {
    async copyLink(id) {
      const url = urlOf(id);
      if (!url.ok) return url;
      const copied = (await clipboard?.writeText(url.value)) ?? ok(undefined);
      if (!copied.ok) return copied;
      const item = store.get(id);
      if (item?.state === 'linked' && item.deliveredAt === null) store.note({ ...item, deliveredAt: clock.now() });
      return ok({ url: url.value });
    },
    async openLink(id) {
      const url = urlOf(id);
      return url.ok ? opener.open(url.value) : url;
    },
  };
};
