/**
 * Shows that a connection waits for the user's approval in a browser: instructions, the code to enter, the remaining
 * time, and a cancel button.
 */

import { ExternalLink, X } from 'lucide-react';
import { Fragment } from 'react';
import type { Authorization } from '../../../../ipc/protocol/app-state.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores, useNow } from '../../../stores/use-app-stores.tsx';
import { CopyTextButton } from '../copy-text-button.tsx';
import styles from './authorize-panel.module.css';

const SECOND_MS = 1_000;

export const AuthorizePanel = ({ waiting }: { readonly waiting: Extract<Authorization, { state: 'waiting' }> }) => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.settings.authorize;
  const more = t.settingsMore.account;
  return (
    <div className={styles.panel}>
      <div role="status">
        <h3>{words.title}</h3>
        <p>{waiting.browser === 'opened' ? words.opened : words.notOpened}</p>
      </div>
      <dl className={styles.facts}>
        <dt>{words.address}</dt>
        <dd>
          <a className={cx(styles.address)} href={waiting.address} target="_blank" rel="noreferrer">
            {waiting.address.split(/(?<=\/)/).map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a path are identified by their position only
              <Fragment key={index}>
                {step}
                <wbr />
              </Fragment>
            ))}
          </a>
        </dd>
        <dt>{words.code}</dt>
        <dd className={styles.code}>
          <span className={styles.letters}>{waiting.userCode}</span>
          <CopyTextButton text={waiting.userCode} label={more.copyCode} />
        </dd>
        <dt>{words.until}</dt>
        <dd className={styles.until}>
          {format.time(new Date(waiting.expiresAt))}
          <TimeLeft until={waiting.expiresAt} />
        </dd>
      </dl>
      <div className={styles.foot}>
        <p className={styles.hint}>{words.waiting}</p>
        <div className={styles.actions}>
          <Button icon={ExternalLink} onPress={() => void engine.run('connection.reopenAuthorize', {})}>
            {more.openAgain}
          </Button>
          <Button icon={X} onPress={() => void engine.run('connection.cancelAuthorize', {})}>
            {words.cancel}
          </Button>
        </div>
      </div>
    </div>
  );
};

/** Visual only: screen readers announce the expiry once, not every second. */
const TimeLeft = ({ until }: { readonly until: number }) => {
  const { t, format } = useLocale();
  const now = useNow(SECOND_MS);
  return (
    <span className={styles.left} aria-hidden>
      {t.settingsMore.account.timeLeft(format.clock(until - now))}
    </span>
  );
};
