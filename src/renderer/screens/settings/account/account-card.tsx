/**
 * Settings card of the accounts: server, user and key storage of the connected one, the other accounts, and the form
 * for connecting one.
 */

import { RefreshCw, Unplug } from 'lucide-react';
import { useId, useState } from 'react';
import type { Account } from '../../../../api/account.ts';
import { keyEndOf, planEndOf } from '../../../../api/never-expires.ts';
import type { AccountConnection, ConnectedAccount, Connection } from '../../../../ipc/protocol/app-state.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores, useFocusTarget } from '../../../stores/use-app-stores.tsx';
import { InlineConfirm } from '../inline-confirm.tsx';
import { SettingCard } from '../setting-card.tsx';
import { Row, SettingLine } from '../setting-row.tsx';
import styles from './account-card.module.css';
import { AuthorizePanel } from './authorize-panel.tsx';
import { ConnectForm } from './connect-form.tsx';
import otherAccountsStyles from './other-accounts.module.css';
import { TryOutButton } from './try-out-button.tsx';
import { useAskedServer } from './use-asked-server.ts';

interface RemoveQuestionProps {
  readonly connection: AccountConnection;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Confirmation before an account is removed from this computer; explains what happens to its items. */
const RemoveQuestion = ({ connection, ...answers }: RemoveQuestionProps) => {
  const { t } = useLocale();
  const words = t.settingsMore.account;
  const user = connection.account?.user;
  const items = useApp(({ queue }) => queue.items);
  const waiting = items.filter(({ state, accountId }) => state !== 'linked' && accountId === user?.id).length;
  return (
    <InlineConfirm
      text={words.removeAsk(user?.name || user?.username || connection.server)}
      more={[words.removeKept, ...(waiting > 0 ? [words.removeWaiting(waiting)] : [])]}
      yes={words.removeYes}
      no={words.removeNo}
      {...answers}
    />
  );
};

/** Connected accounts besides the active one: their uploads continue, and any of them can be activated. */
const OtherAccounts = () => {
  const { t } = useLocale();
  const id = useId();
  const others = useApp(({ accounts }) => accounts).filter(({ isActive }) => !isActive);
  if (others.length === 0) return null;
  return (
    <div className={otherAccountsStyles.others}>
      <h3 id={id}>{t.settings.otherAccounts.title}</h3>
      <ul className={otherAccountsStyles.list} aria-labelledby={id}>
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
    <li className={otherAccountsStyles.row}>
      <p className={otherAccountsStyles.who}>
        <span className={otherAccountsStyles.name}>{name}</span>
        <span className={cx(otherAccountsStyles.quiet)}>{isBuiltIn ? t.settings.builtIn : connection.server}</span>
        <span className={cx(otherAccountsStyles.quiet)}>{t.settings.state[connection.state]}</span>
      </p>
      <div className={otherAccountsStyles.actions}>
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
        <div className={otherAccountsStyles.question}>
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

export const AccountCard = () => {
  const { t } = useLocale();
  const connection = useApp((app) => app.connection);
  const authorization = useApp((app) => app.authorization);
  const isOpen = connection.state === 'none' || connection.state === 'failed';
  const server = useAskedServer();
  return (
    <SettingCard id="account" title={t.settings.account}>
      {connection.state === 'none' ? <NoAccount /> : <Connected connection={connection} />}
      <OtherAccounts />
      <Row id="connect">
        {authorization?.state === 'waiting' ? (
          <div className={styles.part}>
            <AuthorizePanel waiting={authorization} />
          </div>
        ) : isOpen || authorization ? (
          <div className={styles.part}>
            <ConnectForm key={authorization?.state} title={t.settings.connectTitle} server={server} />
          </div>
        ) : (
          <OtherServer server={server} />
        )}
      </Row>
    </SettingCard>
  );
};

const NoAccount = () => {
  const { t } = useLocale();
  const words = t.settingsMore.account;
  const canTry = useApp(({ capabilities }) => capabilities.tryOut);
  return (
    <SettingLine label={words.noneTitle} hint={words.noneText}>
      {canTry && <TryOutButton />}
    </SettingLine>
  );
};

const OtherServer = ({ server }: { readonly server: string }) => {
  const { t } = useLocale();
  const isWanted = useFocusTarget() === 'connect';
  const [isOpen, setOpen] = useState(isWanted || server !== '');
  return (
    <details className={styles.other} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.settings.connectOther}</summary>
      <ConnectForm title={null} server={server} />
    </details>
  );
};

const Connected = ({ connection }: { readonly connection: Exclude<Connection, { state: 'none' }> }) => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const failure = connection.state === 'failed' ? connection.failure : null;
  const text = failure && describe(failure);
  const isBuiltIn = connection.state === 'connected' && connection.keyPlace === 'embedded';
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t.settings.server}</dt>
        <dd className={cx(styles.server)}>
          <span>{isBuiltIn ? t.settings.builtIn : connection.server}</span>
          <span className={cx(styles.state, styles[connection.state])}>{t.settings.state[connection.state]}</span>
        </dd>
        {connection.account && !isBuiltIn && <AccountDetails account={connection.account} />}
        {connection.state === 'connected' && (
          <>
            <dt>{t.settings.keyKept}</dt>
            <dd>{t.settings.keyPlace[connection.keyPlace]}</dd>
          </>
        )}
      </dl>
      {isBuiltIn && <p className={cx(styles.quiet)}>{t.settings.builtInHint}</p>}
      {text && failure && <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />}
      <div className={styles.actions}>
        <Button
          icon={RefreshCw}
          isDisabled={connection.state === 'connecting'}
          onPress={() => void engine.run('connection.refresh', {})}
        >
          {t.settings.refresh}
        </Button>
        <Button tone="danger" icon={Unplug} isDisabled={isAsking} onPress={() => setAsking(true)}>
          {t.settings.disconnect}
        </Button>
      </div>
      {isAsking && (
        <RemoveQuestion
          connection={connection}
          onYes={() => void engine.run('connection.disconnect', {})}
          onNo={() => setAsking(false)}
        />
      )}
    </>
  );
};

const AccountDetails = ({ account }: { readonly account: Account }) => {
  const { t, format, language } = useLocale();
  const { user, credential } = account;
  const keyEnd = credential ? keyEndOf(credential) : null;
  const readAt = useApp(({ accounts }) => accounts.find(({ isActive }) => isActive)?.readAt);
  const planName = user.plan ? user.plan.name[language] : t.settings.planFree;
  const planEnd = user.plan ? planEndOf(user.plan) : null;
  const plan = planEnd ? t.settings.planUntil(planName, format.date(planEnd)) : planName;
  return (
    <>
      <dt>{t.settings.user}</dt>
      <dd>
        {user.name || user.username} <span className={styles.quiet}>{`@${user.username}`}</span>
        {keyEnd && <span className={styles.line}>{t.settings.keyExpires(format.date(keyEnd))}</span>}
      </dd>
      <dt>{t.settings.plan}</dt>
      <dd>
        {plan}
        {readAt !== undefined && (
          <span className={styles.line}>{t.settings.readAt(format.dateTime(new Date(readAt)))}</span>
        )}
      </dd>
    </>
  );
};
