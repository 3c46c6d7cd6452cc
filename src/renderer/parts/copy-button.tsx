/** Copies a link and says for a moment that it did, to the eye and to screen readers, without changing its size. */

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ItemId } from '../../contract/ids.ts';
import { cx } from '../design/cx.ts';
import { useLocale } from '../locales/locale.tsx';
import { usePage } from '../stores/use-page.tsx';
import button from './button.module.css';
import styles from './copy-button.module.css';
import { Hidden } from './hidden.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly id: ItemId;
  readonly name: string;
  readonly url: string;
}

export const CopyButton = ({ id, name, url }: CopyButtonProps) => {
  const { links } = usePage();
  const { t } = useLocale();
  return <CopyAction label={t.link.copyNamed(name)} copy={() => links.copy(id, url)} />;
};

interface CopyActionProps {
  /** Its name for screen readers. */
  readonly label: string;
  /** Answers whether it is on the clipboard now. */
  readonly copy: () => Promise<boolean>;
}

export const CopyAction = ({ label, copy }: CopyActionProps) => {
  const { t } = useLocale();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const Icon = copied ? Check : Copy;
  return (
    <>
      <AriaButton
        className={cx(button.button, button.outline)}
        aria-label={label}
        onPress={async () => setCopied(await copy())}
      >
        <Icon size={16} aria-hidden />
        <span className={styles.words}>
          <span className={cx(copied && styles.away)}>{t.link.copy}</span>
          <span className={cx(!copied && styles.away)}>{t.link.copied}</span>
        </span>
      </AriaButton>
      <Hidden live>{copied ? t.link.copied : ''}</Hidden>
    </>
  );
};
