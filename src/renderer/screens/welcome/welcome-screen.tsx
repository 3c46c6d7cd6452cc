/** Screen for new users without an account: what the app does, how to connect, and the alternatives. */

import { useId } from 'react';
import { Button } from '../../components/buttons/button.tsx';
import { Logo } from '../../components/indicators/logo.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';
import { AuthorizePanel } from '../settings/account/authorize-panel.tsx';
import { ConnectForm } from '../settings/account/connect-form.tsx';
import { TryOutButton } from '../settings/account/try-out-button.tsx';
import { useAskedServer } from '../settings/account/use-asked-server.ts';
import styles from './welcome-screen.module.css';

export const WelcomeScreen = ({ onLater }: { readonly onLater: () => void }) => {
  const { t } = useLocale();
  const words = t.welcome;
  const title = useId();
  const authorization = useApp((app) => app.authorization);
  const server = useAskedServer();
  const canTry = useApp(({ capabilities }) => capabilities.tryOut);
  return (
    <div className={styles.screen}>
      <div className={styles.hello}>
        <Logo size={56} />
        <h1>{words.hello}</h1>
        <p>{words.helloText}</p>
      </div>
      <section className={styles.card} aria-labelledby={title}>
        <h2 id={title}>{words.connectTitle}</h2>
        {authorization?.state === 'waiting' ? (
          <AuthorizePanel waiting={authorization} />
        ) : (
          <ConnectForm key={authorization?.state} title={null} server={server} />
        )}
      </section>
      <div className={styles.ways}>
        {canTry && (
          <div className={styles.try}>
            <TryOutButton />
            <p className={styles.quiet}>{t.settingsMore.account.tryOutHint}</p>
          </div>
        )}
        <Button tone="quiet" onPress={onLater}>
          {words.later}
        </Button>
      </div>
    </div>
  );
};
