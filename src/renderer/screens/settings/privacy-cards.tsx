/**
 * The cards of the settings section Privacy: what leaves the computer and what stays, the check for secrets before an
 * upload, metadata and text of images, and what the app remembers.
 */

import { useState } from 'react';
import { Button } from '../../components/buttons/button.tsx';
import { Card } from '../../components/card.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { Toggle } from '../../components/fields/toggle.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { useDiskUsage } from './disk-usage-context.tsx';
import { InlineConfirm } from './inline-confirm.tsx';
import styles from './privacy.module.css';
import { SavedMark, useSaved } from './saved-mark.tsx';
import { SettingCard } from './setting-card.tsx';
import { Row, Setting } from './setting-row.tsx';

// Summary of the data that leaves this computer and the data that stays on it.

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
    <SettingCard id="leaves" title={words.leaves}>
      <Points label={words.leaves} points={words.leavesList} />
    </SettingCard>
  );
};

export const LocalDataCard = () => {
  const words = useLocale().t.settingsMore.privacy;
  return (
    <SettingCard id="stays" title={words.stays}>
      <Points label={words.stays} points={words.staysList} />
    </SettingCard>
  );
};

/** The local activity history and its settings. */
export const LocalHistoryCard = () => {
  const { t } = useLocale();
  const words = t.settingsMore.privacy;
  const { usage, clear } = useDiskUsage();
  const [isAsking, setAsking] = useState(false);
  const [isHistoryGone, tellHistory] = useSaved();
  const [isRegionGone, tellRegion] = useSaved();
  const links = usage?.links ?? 0;
  const hasRegion = usage?.hasLastRegion ?? false;

  const clearHistory = async () => {
    setAsking(false);
    if (await clear('history')) tellHistory();
  };
  return (
    <Card title={words.here}>
      <Setting
        id="history"
        label={words.history}
        hint={usage === null || links > 0 ? words.historyHint(links) : words.historyNone}
        below={
          isAsking && (
            <InlineConfirm
              text={words.historyAsk(links)}
              more={words.historyMore}
              yes={words.historyYes}
              no={words.historyNo}
              onYes={() => void clearHistory()}
              onNo={() => setAsking(false)}
            />
          )
        }
      >
        <SavedMark isSaved={isHistoryGone} words={words.cleared} />
        <Button tone="danger" isDisabled={isAsking || usage === null} onPress={() => setAsking(true)}>
          {words.historyClear}
        </Button>
      </Setting>
      <Setting id="lastRegion" label={words.lastRegion} hint={hasRegion ? words.lastRegionHint : words.lastRegionNone}>
        <SavedMark isSaved={isRegionGone} words={words.cleared} />
        <Button
          isDisabled={!hasRegion}
          onPress={async () => {
            if (await clear('lastRegion')) tellRegion();
          }}
        >
          {words.lastRegionClear}
        </Button>
      </Setting>
    </Card>
  );
};

const CHECKS = ['off', 'ask', 'require'] as const;

/** Whether screenshots are checked for secrets before they are uploaded. */
export const UploadCheckCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.privacy.check;
  const check = useApp(({ settings }) => settings.checkBeforeUpload);
  return (
    <SettingCard id="checkBeforeUpload" title={words.card}>
      <RadioChoice
        look="cards"
        label={words.label}
        value={check}
        options={CHECKS.map((value) => ({ value, title: words[value], text: words[`${value}Text`] }))}
        onChange={(value) => void engine.updateSettings({ checkBeforeUpload: value })}
      />
    </SettingCard>
  );
};

/** Settings for image metadata, and for reading the words in images. */
export const PicturesCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const stripMetadata = useApp(({ settings }) => settings.stripMetadata);
  const findInPictures = useApp(({ settings }) => settings.findInPictures);
  return (
    <Card title={t.settingsMore.privacy.pictures}>
      <Row id="stripMetadata">
        <Toggle
          label={t.fit.strip}
          hint={t.fit.stripHint}
          isOn={stripMetadata}
          onChange={(isOn) => void engine.updateSettings({ stripMetadata: isOn })}
        />
      </Row>
      <Row id="findInPictures">
        <Toggle
          label={t.settingsMore.privacy.find}
          hint={t.settingsMore.privacy.findHint}
          isOn={findInPictures}
          onChange={(isOn) => void engine.updateSettings({ findInPictures: isOn })}
        />
      </Row>
    </Card>
  );
};
