/** The connected account: server, user and key storage, with the form to change it. */

import { RefreshCw, Unplug } from 'lucide-react';
import { useState } from 'react';
import type { Account } from '../../../../api/account.ts';
import { keyEndOf } from '../../../../api/never-expires.ts';
import type { Connection } from '../../../../ipc/protocol/state.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { Advice } from '../../../components/overlays/advice.tsx';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores, useFocusTarget } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { Row, SettingLine } from '../row.tsx';
import styles from './account-card.module.css';
import { AuthorizePanel } from './authorize-panel.tsx';
import { ConnectForm } from './connect-form.tsx';
import { OtherAccounts } from './other-accounts.tsx';
import { RemoveQuestion } from './remove-confirm.tsx';
import { TryOutButton } from './try-out-button.tsx';

export const AccountCard = () => {
  const { t } = useLocale();
  const connection = useApp((app) => app.connection);
  const authorization = useApp((app) => app.authorization);
  const isOpen = connection.state === 'none' || connection.state === 'failed';
  return (
    <Card id="account" title={t.settings.account}>
      {connection.state === 'none' ? <NoAccount /> : <Connected connection={connection} />}
      <OtherAccounts />
      <Row id="connect">
        {authorization?.state === 'waiting' ? (
          <div className={styles.part}>
            <AuthorizePanel waiting={authorization} />
          </div>
        ) : isOpen || authorization ? (
          <div className={styles.part}>
            <ConnectForm key={authorization?.state} title={t.settings.connectTitle} />
          </div>
        ) : (
          <OtherServer />
        )}
      </Row>
    </Card>
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

const OtherServer = () => {
  const { t } = useLocale();
  const isWanted = useFocusTarget() === 'connect';
  const [isOpen, setOpen] = useState(isWanted);
  return (
    <details className={styles.other} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.settings.connectOther}</summary>
      <ConnectForm title={null} />
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
        {connection.account && !isBuiltIn && <AccountFacts account={connection.account} />}
        {connection.state === 'connected' && (
          <>
            <dt>{t.settings.keyKept}</dt>
            <dd>{t.settings.keyPlace[connection.keyPlace]}</dd>
          </>
        )}
      </dl>
      {isBuiltIn && <p className={cx(styles.quiet)}>{t.settings.builtInHint}</p>}
      {text && failure && <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />}
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

const AccountFacts = ({ account }: { readonly account: Account }) => {
  const { t, format, language } = useLocale();
  const { user, credential } = account;
  const keyEnd = credential ? keyEndOf(credential) : null;
  const readAt = useApp(({ accounts }) => accounts.find(({ isActive }) => isActive)?.readAt);
  const plan = user.plan
    ? t.settings.planUntil(user.plan.name[language], format.date(new Date(user.plan.until)))
    : t.settings.planFree;
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
