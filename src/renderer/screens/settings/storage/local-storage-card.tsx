/** Disk usage of the profile by part, with buttons that clear some of them. */

import type { ClearedPart, ProfilePart } from '../../../../ipc/protocol/commands/profile.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { Card } from '../card.tsx';
import { useProfileUsage } from '../profile-usage.tsx';
import { SettingLine } from '../row.tsx';
import { SavedMark, useSaved } from '../saved-mark.tsx';
import styles from './storage.module.css';

const PARTS: readonly ProfilePart[] = [
  'database',
  'waiting',
  'discarded',
  'thumbnails',
  'recordings',
  'tryOut',
  'leftovers',
  'logs',
  'other',
];

/** Parts that can be cleared without losing user data. */
const CLEARED: Readonly<Partial<Record<ProfilePart, ClearedPart>>> = {
  discarded: 'discarded',
  thumbnails: 'thumbnails',
  leftovers: 'leftovers',
};

export const LocalStorageCard = () => {
  const { t, format } = useLocale();
  const words = t.settingsMore.storage;
  const { usage, clear } = useProfileUsage();
  const sum = usage && Object.values(usage.parts).reduce((bytes, part) => bytes + part.bytes, 0);
  // Thumbnails are always listed, so that clearing does not shift the layout.
  const shown = PARTS.filter((part) => part === 'thumbnails' || (usage?.parts[part].bytes ?? 0) > 0);
  return (
    <Card id="localStorage" title={words.here}>
      {shown.map((part) => (
        <Part key={part} part={part} bytes={usage?.parts[part].bytes ?? null} clear={clear} />
      ))}
      <div className={cx(styles.sums, styles.whole)}>
        <span>{words.sum}</span>
        <span className={styles.size}>{sum === null ? words.counting : format.bytes(sum)}</span>
      </div>
    </Card>
  );
};

interface PartProps {
  readonly part: ProfilePart;
  readonly bytes: number | null;
  readonly clear: (what: ClearedPart) => Promise<boolean>;
}

const Part = ({ part, bytes, clear }: PartProps) => {
  const { t, format } = useLocale();
  const words = t.settingsMore.storage;
  const { name, hint } = words.parts[part];
  const cleared = CLEARED[part];
  const [isCleared, reportCleared] = useSaved();
  return (
    <SettingLine label={name} hint={hint}>
      {cleared && (
        <>
          <Button
            aria-label={words.clearNamed(name)}
            isDisabled={bytes === null || bytes === 0}
            onPress={async () => {
              if (await clear(cleared)) reportCleared();
            }}
          >
            {words.clear}
          </Button>
          <SavedMark isSaved={isCleared} words={t.settingsMore.privacy.cleared} />
        </>
      )}
      <span className={styles.size}>{bytes === null ? '' : format.bytes(bytes)}</span>
    </SettingLine>
  );
};
