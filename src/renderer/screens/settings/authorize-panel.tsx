/** While a connection waits for its approval in a browser: what to do, the code to type elsewhere, and a way back. */

import { X } from 'lucide-react';
import type { Authorization } from '../../../contract/state.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../parts/button.tsx';
import { usePage } from '../../stores/use-page.tsx';
import styles from './authorize-panel.module.css';

export const AuthorizePanel = ({ waiting }: { readonly waiting: Extract<Authorization, { state: 'waiting' }> }) => {
  const { engine } = usePage();
  const { t, format } = useLocale();
  const words = t.settings.authorize;
  return (
    <div className={styles.panel} role="status">
      <h3>{words.title}</h3>
      <p>{waiting.browser === 'opened' ? words.opened : words.notOpened}</p>
      <dl className={styles.facts}>
        <dt>{words.address}</dt>
        <dd>
          <a className={cx(styles.address)} href={waiting.address} target="_blank" rel="noreferrer">
            {waiting.address}
          </a>
        </dd>
        <dt>{words.code}</dt>
        <dd className={styles.code}>{waiting.userCode}</dd>
      </dl>
      <div className={styles.foot}>
        <p className={styles.hint}>{words.waiting(format.dateTime(new Date(waiting.expiresAt)))}</p>
        <Button icon={X} onPress={() => void engine.run('connection.cancelAuthorize', {})}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
};
