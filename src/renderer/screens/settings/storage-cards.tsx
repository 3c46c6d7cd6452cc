/** The cards of the settings section Storage: the account's space on the server, and the data on this computer. */
import { useEffect, useRef } from 'react';
import { Meter } from 'react-aria-components/Meter';
import { CONTENT_TYPES, type ContentType } from '../../../api/content.ts';
import type { ClearedPart, ProfilePart, ProfileUsage } from '../../../ipc/protocol/commands/local-data.ts';
import { Button } from '../../components/buttons/button.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { useDiskUsage } from './disk-usage-context.tsx';
import { SavedMark, useSaved } from './saved-mark.tsx';
import { SettingCard } from './setting-card.tsx';
import { SettingLine } from './setting-row.tsx';
import styles from './storage.module.css';

/** Storage used by the account in binary units, as the service counts, by kind of content. */
export const ServerStorageCard = () => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.storage;
  const account = useApp(({ connection }) => (connection.state === 'none' ? null : connection.account));
  const { usage } = useDiskUsage();
  return (
    <SettingCard id="serverStorage" title={words.server}>
      {account === null ? (
        <div className={styles.nothing}>
          <p>{words.noAccount}</p>
          <Button onPress={view.connect}>{words.connect}</Button>
        </div>
      ) : (
        <Fullness used={account.user.storageUsed} quota={account.user.quotaBytes} published={usage?.published ?? []} />
      )}
    </SettingCard>
  );
};

interface FullnessProps {
  readonly used: number;
  readonly quota: number;
  readonly published: ProfileUsage['published'];
}

interface Share {
  readonly kind: ContentType | 'rest';
  readonly bytes: number;
}

/** Limits the known kinds to the total reported by the service. */
const sharesOf = ({ used, published }: FullnessProps): readonly Share[] => {
  const known = CONTENT_TYPES.map((kind) => ({
    kind,
    bytes: published.find((one) => one.kind === kind)?.bytes ?? 0,
  })).filter(({ bytes }) => bytes > 0);
  const sum = known.reduce((bytes, one) => bytes + one.bytes, 0);
  // The library is not loaded yet, or items were deleted elsewhere: the kinds are unknown.
  if (sum > used) return used > 0 ? [{ kind: 'rest', bytes: used }] : [];
  return [...known, ...(used > sum ? [{ kind: 'rest' as const, bytes: used - sum }] : [])];
};

const Fullness = (props: FullnessProps) => {
  const { t, format } = useLocale();
  const { used, quota } = props;
  const left = Math.max(0, quota - used);
  const shares = sharesOf(props);
  const words = t.settings.storageUsed(format.bytes(used), format.bytes(quota));
  return (
    <>
      <div className={styles.sums}>
        <span>{words}</span>
        <span className={styles.left}>{t.settings.storageLeft(format.bytes(left))}</span>
      </div>
      <Meter
        className={cx(styles.bar)}
        aria-label={t.settings.storageLabel}
        value={quota === 0 ? 100 : Math.min(100, Math.round((used / quota) * 1_000) / 10)}
        valueLabel={words}
      >
        {shares.map(({ kind, bytes }) => (
          <Segment key={kind} kind={kind} fraction={quota === 0 ? 0 : Math.min(1, bytes / quota)} />
        ))}
      </Meter>
      {shares.length > 0 && (
        <ul className={styles.legend} aria-label={t.settings.storageLabel}>
          {shares.map(({ kind, bytes }) => (
            <li key={kind}>
              <span className={cx(styles.dot, styles[kind])} aria-hidden />
              {t.settingsMore.storage.kind(t.settingsMore.storage.kinds[kind], format.bytes(bytes))}
            </li>
          ))}
        </ul>
      )}
      {left === 0 && <p className={styles.full}>{t.settings.storageFull}</p>}
    </>
  );
};

/** The width is set by script: the content security policy forbids inline styles in markup. */
const Segment = ({ kind, fraction }: { readonly kind: Share['kind']; readonly fraction: number }) => {
  const segment = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (segment.current) segment.current.style.width = `${fraction * 100}%`;
  }, [fraction]);
  return <span ref={segment} className={cx(styles.piece, styles[kind])} />;
};

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

/** Parts that the user can clear; discarded captures cannot be restored afterwards. */
const CLEARED: Readonly<Partial<Record<ProfilePart, ClearedPart>>> = {
  discarded: 'discarded',
  thumbnails: 'thumbnails',
  leftovers: 'leftovers',
};

/** Disk usage of the profile by part, with buttons that clear some of them. */
export const LocalStorageCard = () => {
  const { t, format } = useLocale();
  const words = t.settingsMore.storage;
  const { usage, clear } = useDiskUsage();
  const sum = usage && Object.values(usage.parts).reduce((bytes, part) => bytes + part.bytes, 0);
  // Thumbnails are always listed, so that clearing does not shift the layout.
  const shown = PARTS.filter((part) => part === 'thumbnails' || (usage?.parts[part].bytes ?? 0) > 0);
  return (
    <SettingCard id="localStorage" title={words.here}>
      {shown.map((part) => (
        <Part key={part} part={part} bytes={usage?.parts[part].bytes ?? null} clear={clear} />
      ))}
      <div className={cx(styles.sums, styles.whole)}>
        <span>{words.sum}</span>
        <span className={styles.size}>{sum === null ? words.counting : format.bytes(sum)}</span>
      </div>
    </SettingCard>
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
