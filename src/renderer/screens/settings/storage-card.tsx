/** How much of the account's space is used, in binary units as the service counts. */

import { useLocale } from '../../locales/locale.tsx';
import { Meter } from '../../parts/progress.tsx';
import { useApp } from '../../stores/use-page.tsx';
import { Card } from './card.tsx';
import styles from './storage-card.module.css';

export const StorageCard = () => {
  const { t, format } = useLocale();
  const account = useApp(({ connection }) => (connection.state === 'none' ? null : connection.account));
  if (account === null) return null;
  const { storageUsed, quotaBytes } = account.user;
  const left = Math.max(0, quotaBytes - storageUsed);
  const used = t.settings.storageUsed(format.bytes(storageUsed), format.bytes(quotaBytes));
  return (
    <Card title={t.settings.storage}>
      <div className={styles.words}>
        <span>{used}</span>
        <span className={styles.left}>{t.settings.storageLeft(format.bytes(left))}</span>
      </div>
      <Meter
        label={t.settings.storageLabel}
        valueText={used}
        fraction={quotaBytes === 0 ? 1 : Math.min(1, storageUsed / quotaBytes)}
      />
      {left === 0 && <p className={styles.full}>{t.settings.storageFull}</p>}
    </Card>
  );
};
