/** The link in every copy format, shown as it will be pasted. */

import { formatLinks } from '../../../../ipc/protocol/link-format.ts';
import type { LinkFormat } from '../../../../ipc/protocol/link-settings.ts';
import type { LibraryItem } from '../../../../ipc/protocol/state.ts';
import { CopyAction } from '../../../components/links/copy-button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './link-card.module.css';

const FORMATS: readonly LinkFormat[] = ['markdown', 'html', 'bbcode', 'direct', 'template', 'plain'];

export const LinkFormats = ({ item }: { readonly item: LibraryItem }) => {
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
