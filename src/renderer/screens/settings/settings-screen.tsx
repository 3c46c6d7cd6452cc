/** What the person may decide, and what the account says about itself. */

import { useLocale } from '../../locales/locale.tsx';
import { AboutCard } from './about-card.tsx';
import { AccountCard } from './account-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { MediaCard } from './media-card.tsx';
import styles from './settings-screen.module.css';
import { SharingCard } from './sharing-card.tsx';
import { StorageCard } from './storage-card.tsx';

export const SettingsScreen = () => {
  const { t } = useLocale();
  return (
    <div className={styles.screen}>
      <h1>{t.settings.title}</h1>
      <AccountCard />
      <StorageCard />
      <SharingCard />
      <MediaCard />
      <AppearanceCard />
      <AboutCard />
    </div>
  );
};
