/**
 * Buttons that copy a link, or anything else that the caller copies, and confirm it for a moment, visually and to
 * screen readers, without changing their size.
 */

import { Check, Copy, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import button from '../buttons/button.module.css';
import { VisuallyHidden } from '../indicators/visually-hidden.tsx';
import styles from './copy-button.module.css';

const SHOWN_MS = 2_000;

export type CopyButtonSize = 'wide' | 'tight';

interface CopyButtonProps {
  readonly id: ItemId;
  readonly name: string;
  readonly url: string;
  /** `tight`: icon only. */
  readonly size?: CopyButtonSize;
}

export const CopyButton = ({ id, name, url, size }: CopyButtonProps) => {
  const { links } = useAppStores();
  const { t } = useLocale();
  return <CopyAction label={t.link.copyNamed(name)} copy={() => links.copy(id, url)} {...(size && { size })} />;
};

interface CopyActionProps {
  /** Accessible name. */
  readonly label: string;
  /** Resolves to whether the link is on the clipboard. */
  readonly copy: () => Promise<boolean>;
  readonly size?: CopyButtonSize;
}

export const CopyAction = ({ label, copy, size = 'wide' }: CopyActionProps) => {
  const { t } = useLocale();
  const [copied, setCopied] = useState(false);
  // The live region must exist before its text does; it is mounted only when the user is about to press the button.
  const [isAnnouncing, setAnnouncing] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const StateIcon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        className={cx(button.button, button.outline, size === 'tight' && button.iconOnly)}
        aria-label={label}
        title={size === 'tight' ? label : undefined}
        onFocus={() => setAnnouncing(true)}
        onClick={async () => setCopied(await copy())}
      >
        {size === 'tight' ? (
          <StateIcon size={16} aria-hidden />
        ) : (
          <span className={styles.faces}>
            <Face icon={Copy} word={t.link.copy} isAway={copied} />
            <Face icon={Check} word={t.link.copied} isAway={!copied} />
          </span>
        )}
      </button>
      {isAnnouncing && <VisuallyHidden live>{copied ? t.link.copied : ''}</VisuallyHidden>}
    </>
  );
};

interface FaceProps {
  readonly icon: LucideIcon;
  readonly word: string;
  readonly isAway: boolean;
}

const Face = ({ icon: Icon, word, isAway }: FaceProps) => (
  <span className={cx(styles.face, isAway && styles.away)}>
    <Icon size={16} aria-hidden />
    <span className={styles.word}>{word}</span>
  </span>
);
