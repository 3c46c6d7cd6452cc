/**
 * The main navigation with the button of the error list, and below it the account with its storage. On narrow windows
 * it is a bottom bar without the account.
 */

import { House, Images, type LucideIcon, Settings as SettingsIcon } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Logo } from '../components/indicators/logo.tsx';
import { cx } from '../design/class-names.ts';
import { useLocale } from '../locales/locale.tsx';
import { isAway } from '../stores/queue/connectivity.ts';
import { addressOf, MAIN_SECTIONS } from '../stores/router-store.ts';
import { useApp, useAppStores, useHostConnection, useMainSection } from '../stores/use-app-stores.tsx';
import { ErrorList } from './error-list.tsx';
import styles from './sidebar.module.css';
import { useShownConnectivity } from './use-shown-connectivity.ts';

const ICONS: Record<(typeof MAIN_SECTIONS)[number], LucideIcon> = {
  home: House,
  library: Images,
  settings: SettingsIcon,
};

export const Sidebar = () => {
  const { t } = useLocale();
  const current = useMainSection();
  return (
    <header className={styles.sidebar}>
      <p className={styles.brand}>
        <Logo size={26} />
        {t.app.name}
      </p>
      <nav aria-label={t.app.navigation} className={styles.nav}>
        {MAIN_SECTIONS.map((screen) => {
          const Icon = ICONS[screen];
          return (
            <a
              key={screen}
              href={addressOf({ screen })}
              className={cx(styles.entry)}
              {...(screen === current && { 'aria-current': 'page' })}
            >
              <Icon size={18} strokeWidth={1.8} aria-hidden />
              {t.app[screen]}
            </a>
          );
        })}
        <ErrorList className={cx(styles.entry)} />
      </nav>
      <AccountGlance />
    </header>
  );
};

const AccountGlance = () => {
  const { view } = useAppStores();
  const { t, format } = useLocale();
  const connection = useApp((app) => app.connection);
  const link = useHostConnection();
  const reach = useShownConnectivity();
  // `away`: connected before, but the service does not answer now.
  const status = link !== 'up' ? 'failed' : isAway(reach) && reach.isActive ? 'away' : connection.state;
  const user = connection.state === 'none' ? null : (connection.account?.user ?? null);
  return (
    <Button className={cx(styles.glance)} onPress={() => view.show('settings')}>
      <span className={cx(styles.dot, styles[status])} />
      <span className={styles.who}>{user ? user.name || user.username : t.settings.state[connection.state]}</span>
      {user && (
        <span className={styles.space}>
          {t.settings.storageUsed(format.bytes(user.storageUsed), format.bytes(user.quotaBytes))}
        </span>
      )}
    </Button>
  );
};
