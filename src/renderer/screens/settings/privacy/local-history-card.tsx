/** The local activity history and its settings. */

import { useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { Card } from '../card.tsx';
import { InlineConfirm } from '../inline-confirm.tsx';
import { useProfileUsage } from '../profile-usage.tsx';
import { Setting } from '../row.tsx';
import { SavedMark, useSaved } from '../saved-mark.tsx';

export const LocalHistoryCard = () => {
  const { t } = useLocale();
  const words = t.settingsMore.privacy;
  const { usage, clear } = useProfileUsage();
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
