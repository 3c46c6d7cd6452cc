/** Summary of the data that leaves this computer and the data that stays on it. */

import { useLocale } from '../../../locales/locale.tsx';
import { Card } from '../card.tsx';
import styles from './privacy.module.css';

const Points = ({ label, points }: { readonly label: string; readonly points: readonly string[] }) => (
  <ul className={styles.points} aria-label={label}>
    {points.map((point) => (
      <li key={point}>{point}</li>
    ))}
  </ul>
);

export const SentDataCard = () => {
  const words = useLocale().t.settingsMore.privacy;
  return (
    <Card id="leaves" title={words.leaves}>
      <Points label={words.leaves} points={words.leavesList} />
    </Card>
  );
};

export const LocalDataCard = () => {
  const words = useLocale().t.settingsMore.privacy;
  return (
    <Card id="stays" title={words.stays}>
      <Points label={words.stays} points={words.staysList} />
    </Card>
  );
};
