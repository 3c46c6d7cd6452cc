/** The link commands of published items: format links, copy them to the clipboard, or open them in the browser. */

import { err, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { formatLinks } from '../../ipc/protocol/format-links.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { CommandsOf } from '../command-types.ts';
import { done } from '../empty-result.ts';
import type { Clipboard, Opener } from '../ports.ts';
import { type LinkedRows, unknownItem } from './change-items.ts';
import type { Library } from './library-store.ts';

export interface LinksDeps {
  readonly clipboard: Clipboard | null;
  readonly opener: Opener;
  readonly library: Library;
  readonly rows: LinkedRows;
  readonly settings: () => Settings;
}

export const createLinks = ({ clipboard, opener, library, rows, settings }: LinksDeps): CommandsOf<'link'> => {
  const itemOf = (id: ItemId): Result<LibraryItem> => {
    const item = library.get(id);
    return item ? ok(item) : err(unknownItem());
  };
  const write = async (text: string): Promise<Result<void>> => (await clipboard?.writeText(text)) ?? ok(undefined);

  return {
    async copy({ id, format }) {
      const item = itemOf(id);
      if (!item.ok) return item;
      const { linkFormat, linkTemplate } = settings();
      const text = formatLinks([item.value], { format: format ?? linkFormat, template: linkTemplate });
      const copied = await write(text);
      if (!copied.ok) return copied;
      rows.markCopied(id);
      return ok({ url: item.value.content.url, text });
    },
    async format({ ids, format, template, to = 'answer' }) {
      const items: LibraryItem[] = [];
      for (const id of ids) {
        const item = itemOf(id);
        if (!item.ok) return item;
        items.push(item.value);
      }
      const { linkFormat, linkTemplate } = settings();
      const chosen = format ?? (template === undefined ? linkFormat : 'template');
      const text = formatLinks(items, { format: chosen, template: template ?? linkTemplate });
      if (to === 'clipboard') {
        const copied = await write(text);
        if (!copied.ok) return copied;
        for (const id of ids) rows.markCopied(id);
      }
      return ok({ text });
    },
    async open({ id }) {
      const item = itemOf(id);
      return done(item.ok ? await opener.open(item.value.content.url) : item);
    },
  };
};
