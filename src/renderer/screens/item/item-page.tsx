/** Page of an item in the library, with pending changes applied optimistically. */

import { ExternalLink, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isWebAddress } from '../../stores/published/copy-links.ts';
import { useAppStores, useChanged, useOpened } from '../../stores/use-app-stores.tsx';
import { useNow } from '../../stores/use-now.ts';
import { ItemTimeline } from '../../timeline/item-timeline.tsx';
import { FailedChanges } from '../library/failed-changes.tsx';
import { titleOf } from '../library/library-item.ts';
import { DetailsCard } from './details-card.tsx';
import { metadataOf } from './item-metadata.ts';
import styles from './item-screen.module.css';
import { Section } from './item-section.tsx';
import { LinkCard } from './link/link-card.tsx';
import { accessOf, isClosed } from './link-access.ts';
import { Preview } from './preview/preview.tsx';
import { SettingsCard } from './settings/settings-card.tsx';
import { StateAdvice } from './state-advice.tsx';
import { ViewsCard } from './views/views-card.tsx';

/** The access sentence contains "today" and "tomorrow". */
const CLOCK_MS = 15_000;

export const ItemPage = ({ item: known }: { readonly item: LibraryItem }) => {
  const { links, itemDetails, removal } = useAppStores();
  const locale = useLocale();
  const { t } = locale;
  const { isRefreshing, failure } = useOpened();
  const now = useNow(CLOCK_MS);
  const item = useChanged(known);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused link that led here has been unmounted.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const access = accessOf(item, now);
  const { id, content } = item;
  const over = isClosed(access);
  const views = <ViewsCard id={id} total={content.views} isGone={over} />;
  return (
    <>
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {titleOf(item)}
        </h1>
        <MetaLine facts={metadataOf(item, locale)} />
        <div className={styles.actions}>
          {!over && isWebAddress(content.url) && (
            <Button icon={ExternalLink} onPress={() => links.open(id, content.url)}>
              {t.item.open}
            </Button>
          )}
          <IconButton
            icon={RefreshCw}
            label={t.item.refresh}
            isDisabled={isRefreshing}
            onPress={() => void itemDetails.refresh()}
          />
          {!over && (
            <Button tone="danger" icon={Trash2} onPress={() => void removal.remove([id])}>
              {t.item.delete}
            </Button>
          )}
        </div>
      </div>
      <StateAdvice item={item} access={access} />
      <FailedChanges of={id} />
      {failure && !over && <Advice tone="plain" title={t.item.unreached} sentences={[]} failure={failure} />}
      <div className={styles.columns}>
        <div className={styles.seen}>
          <Preview item={item} isGone={over} />
        </div>
        <div className={styles.done}>
          <LinkCard item={item} access={access} now={now} />
          {over ? views : <SettingsCard item={item} now={now} />}
        </div>
        <div className={styles.become}>
          {!over && views}
          <DetailsCard item={item} />
          <Section title={t.item.history}>
            <ItemTimeline id={id} />
          </Section>
        </div>
      </div>
    </>
  );
};
