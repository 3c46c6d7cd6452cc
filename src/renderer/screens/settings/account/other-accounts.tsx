/** Connected accounts besides the active one: their uploads continue, and any of them can be activated. */

import { useId, useState } from 'react';
import type { ConnectedAccount } from '../../../../ipc/protocol/state.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './other-accounts.module.css';
import { RemoveQuestion } from './remove-confirm.tsx';

export const OtherAccounts = () => {
  const { t } = useLocale();
  const id = useId();
  const others = useApp(({ accounts }) => accounts).filter(({ isActive }) => !isActive);
  if (others.length === 0) return null;
  return (
    <div className={styles.others}>
      <h3 id={id}>{t.settings.otherAccounts.title}</h3>
      <ul className={styles.list} aria-labelledby={id}>
        {others.map((account) => (
          <OtherAccount key={account.id} account={account} />
        ))}
      </ul>
    </div>
  );
};

const OtherAccount = ({ account: { id, connection } }: { readonly account: ConnectedAccount }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settings.otherAccounts;
  const user = connection.account?.user;
  const name = user?.name || user?.username || connection.server;
  const [isAsking, setAsking] = useState(false);
  const isBuiltIn = connection.state === 'connected' && connection.keyPlace === 'embedded';
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        <span className={styles.name}>{name}</span>
        <span className={cx(styles.quiet)}>{isBuiltIn ? t.settings.builtIn : connection.server}</span>
        <span className={cx(styles.quiet)}>{t.settings.state[connection.state]}</span>
      </p>
      <div className={styles.actions}>
        <Button aria-label={words.useNamed(name)} onPress={() => void engine.run('connection.activate', { id })}>
          {words.use}
        </Button>
        <Button
          tone="danger"
          aria-label={words.removeNamed(name)}
          isDisabled={isAsking}
          onPress={() => setAsking(true)}
        >
          {words.remove}
        </Button>
      </div>
      {isAsking && (
        <div className={styles.question}>
          <RemoveQuestion
            connection={connection}
            onYes={() => void engine.run('connection.remove', { id })}
            onNo={() => setAsking(false)}
          />
        </div>
      )}
    </li>
  );
};
