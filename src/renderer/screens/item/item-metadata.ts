/** Short metadata of an item: kind, size, dimensions, length and date. */

import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import type { Locale } from '../../locales/locale.tsx';

export const dimensionsOf = ({ content }: LibraryItem, { t }: Locale): string | null =>
  content.width == null || content.height == null ? null : t.item.details.pixels(content.width, content.height);

export const metadataOf = (item: LibraryItem, locale: Locale): readonly (string | null)[] => {
  const { t, format } = locale;
  const { type, size, durationMs, folderFiles, createdAt } = item.content;
  return [
    t.library.kind[type],
    dimensionsOf(item, locale),
    durationMs == null ? null : format.clock(durationMs),
    folderFiles == null ? null : t.item.preview.files(folderFiles),
    format.bytes(size),
    format.dateTime(new Date(createdAt)),
  ];
};
