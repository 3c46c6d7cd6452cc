/**
 * Card with the metadata of an item as a list, including how often its access was changed and what that means for
 * people who had opened it.
 */
import type { ReactNode } from 'react';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import { type Locale, useLocale } from '../../locales/locale.tsx';
import styles from './details-card.module.css';
import { Section } from './item-section.tsx';

/** Width and height of a picture or video; null: it has none. */
export const dimensionsOf = ({ content }: LibraryItem, { t }: Locale): string | null =>
  content.width == null || content.height == null ? null : t.item.details.pixels(content.width, content.height);

/** Official spellings. */
const CODECS: Readonly<Record<string, string>> = { h264: 'H.264', hevc: 'H.265', vp8: 'VP8', vp9: 'VP9', av1: 'AV1' };

/** Metadata of an item as a list, with an explanation of its access version. */
export const DetailsCard = ({ item }: { readonly item: LibraryItem }) => {
  const locale = useLocale();
  const { t, format } = locale;
  const words = t.item.details;
  const { content } = item;
  const changes = content.accessVersion - 1;
  const isVideo = content.type === 'VIDEO';
  const isNote = content.type === 'PASTE';
  return (
    <Section title={words.title}>
      <dl className={styles.facts}>
        <DetailsRow name={words.kind} value={`${t.library.kind[content.type]} · ${content.mime}`} />
        {content.originalName !== undefined && <DetailsRow name={words.file} value={content.originalName} />}
        <DetailsRow name={words.size} value={format.bytes(content.size)} />
        <DetailsRow name={words.dimensions} value={dimensionsOf(item, locale)} />
        <DetailsRow
          name={words.duration}
          value={content.durationMs == null ? null : format.clock(content.durationMs)}
        />
        <DetailsRow
          name={words.codec}
          value={content.videoCodec == null ? null : (CODECS[content.videoCodec] ?? content.videoCodec)}
        />
        {isVideo && <DetailsRow name={words.sound} value={content.hasAudio ? words.withSound : words.withoutSound} />}
        {content.pasteFormat != null && <DetailsRow name={words.format} value={words.formats[content.pasteFormat]} />}
        {isNote && <DetailsRow name={words.revision} value={words.revisionText(content.revision)} />}
        <DetailsRow
          name={words.filesIn}
          value={content.folderFiles == null ? null : format.number(content.folderFiles)}
        />
        <DetailsRow name={words.shared} value={format.dateTime(new Date(content.createdAt))} />
        <DetailsRow name={words.access} value={changes === 0 ? words.accessNever : words.accessChanged(changes)} />
      </dl>
    </Section>
  );
};

/** Omitted while the value is unknown. */
const DetailsRow = ({ name, value }: { readonly name: string; readonly value: ReactNode | null }) =>
  value !== null && (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
