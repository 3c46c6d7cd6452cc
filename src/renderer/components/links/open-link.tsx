/**
 * An anchor that opens a share page: in a new tab of the browser, or from the desktop app in the user's browser.
 * Renders nothing if the URL is not a web address.
 */

import { ExternalLink } from 'lucide-react';
import type { ItemId } from '../../../api/ids.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { isWebAddress } from '../../stores/published/is-web-address.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './open-link.module.css';

interface OpenLinkProps {
  readonly id: ItemId;
  readonly name: string;
  readonly url: string;
}

export const OpenLink = ({ id, name, url }: OpenLinkProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  if (!isWebAddress(url)) return null;
  return (
    <a
      className={cx(styles.open)}
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={t.link.openNamed(name)}
      title={t.link.openNamed(name)}
      onClick={(event) => {
        if (!byHost) return;
        event.preventDefault();
        void engine.run('link.open', { id });
      }}
    >
      <ExternalLink size={18} aria-hidden />
    </a>
  );
};
