/**
 * Card of the item page with one sentence about who can open the link (`access-sentence.ts`), the link in every format,
 * and its QR code.
 */

import { Code, QrCode as QrIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatLinks } from '../../../../ipc/protocol/format-links.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import type { LinkFormat } from '../../../../ipc/protocol/link-settings.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { CopyAction } from '../../../components/links/copy-button.tsx';
import { LinkField } from '../../../components/links/link-field.tsx';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { titleOf } from '../../../stores/published/item-title.ts';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { accessSentence } from '../access-sentence.ts';
import { Section } from '../item-section.tsx';
import { type Access, isOver } from '../link-access.ts';
import styles from './link-card.module.css';

const FORMATS: readonly LinkFormat[] = ['markdown', 'html', 'bbcode', 'direct', 'template', 'plain'];

/** The link in every copy format, shown as it will be pasted. */
const LinkFormats = ({ item }: { readonly item: LibraryItem }) => {
  const { links } = useAppStores();
  const { t } = useLocale();
  const template = useApp(({ settings }) => settings.linkTemplate);
  const words = t.item.link;
  return (
    <ul className={styles.formats} aria-label={words.formats}>
      {FORMATS.map((format) => {
        const text = formatLinks([item], { format, template });
        return (
          <li key={format} className={styles.format}>
            <span className={styles.kind}>{words.names[format]}</span>
            <span className={styles.text} title={text}>
              {text}
            </span>
            <CopyAction
              size="tight"
              label={words.copyFormat(words.names[format])}
              copy={() => links.copyAs(item.id, format, text)}
            />
          </li>
        );
      })}
    </ul>
  );
};

/** Loaded on demand. */
const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

interface LinkCardProps {
  readonly item: LibraryItem;
  readonly access: Access;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
}

export const LinkCard = ({ item, access, now }: LinkCardProps) => {
  const locale = useLocale();
  const { t } = locale;
  const [shown, setShown] = useState<'formats' | 'qr' | null>(null);
  const { id, content } = item;
  const name = titleOf(item);
  const toggle = (which: 'formats' | 'qr') => () => setShown(shown === which ? null : which);
  return (
    <Section title={t.item.access.title}>
      <p className={cx(styles.sentence, access.state !== 'open' && styles.closed)} aria-live="polite">
        {accessSentence(locale, access, now)}
      </p>
      {!isOver(access) && (
        <>
          <div className={styles.link}>
            <LinkField id={id} name={name} url={content.url} />
          </div>
          <div className={styles.more}>
            <Button icon={Code} aria-expanded={shown === 'formats'} onPress={toggle('formats')}>
              {t.item.link.formats}
            </Button>
            <Button icon={QrIcon} aria-expanded={shown === 'qr'} onPress={toggle('qr')}>
              {t.item.link.qr}
            </Button>
          </div>
          {shown === 'formats' && <LinkFormats item={item} />}
          {shown === 'qr' && (
            <Suspense fallback={<p className={styles.loading}>{t.item.preview.loading}</p>}>
              <QrCode name={name} url={content.url} />
            </Suspense>
          )}
        </>
      )}
    </Section>
  );
};
