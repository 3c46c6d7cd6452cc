/** Box for an error or notice: what happened, what was kept, what to do, and the buttons for it. */

import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Failure } from '../../api/errors.ts';
import { cx } from '../design/class-names.ts';
import { useLocale } from '../locales/locale.tsx';
import styles from './alert.module.css';
import { ShortName, shortName } from './indicators/short-name.tsx';

const ICONS = { bad: CircleAlert, warn: TriangleAlert, plain: Info };

interface AlertProps {
  readonly tone: keyof typeof ICONS;
  readonly title: string;
  /** Name of the item or file concerned. */
  readonly about?: string | undefined;
  /** What was kept and what to do, one sentence each. */
  readonly sentences: readonly string[];
  /** Its technical details are shown on request only. */
  readonly failure?: Failure;
  /** Dismiss button next to the title. */
  readonly dismiss?: ReactNode;
  readonly children?: ReactNode;
}

export const Alert = ({ tone, title, about, sentences, failure, dismiss, children }: AlertProps) => {
  const { t } = useLocale();
  const Icon = ICONS[tone];
  return (
    <div className={cx(styles.advice, styles[tone])}>
      <Icon className={styles.icon} size={18} aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {about !== undefined && (
          <p className={styles.about}>
            <ShortName name={about} />
          </p>
        )}
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {failure && (
          <details className={styles.details}>
            <summary>{t.app.details}</summary>
            {about !== undefined && shortName(about) !== about && <p className={styles.about}>{about}</p>}
            <code>
              {failure.code}: {failure.detail}
            </code>
          </details>
        )}
      </div>
      {dismiss !== undefined && <div className={styles.dismiss}>{dismiss}</div>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
};
