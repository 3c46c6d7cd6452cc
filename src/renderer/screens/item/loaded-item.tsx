/**
 * A published item on its screen once it is loaded: preview, link, settings, views, details and timeline; for one that
 * its link cannot show, the reason and what to do. Shows a change immediately, before the service has confirmed it.
 */

import { ExternalLink, RefreshCw, RotateCcw, ScanText, Trash2, Undo2, Users } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { unreachable } from '../../../api/errors.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import { Alert } from '../../components/alert.tsx';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { MetaLine } from '../../components/indicators/meta-line.tsx';
import { type Locale, useLocale } from '../../locales/locale.tsx';
import { isWebAddress } from '../../stores/published/is-web-address.ts';
import { titleOf } from '../../stores/published/item-title.ts';
import { useAppStores, useChanged, useNow, useOpened } from '../../stores/use-app-stores.tsx';
import { ItemTimeline } from '../../timeline/item-timeline.tsx';
import { FailedChanges } from '../library/failed-changes.tsx';
import { DetailsCard, dimensionsOf } from './details-card.tsx';
import styles from './item-screen.module.css';
import { Section } from './item-section.tsx';
import { LinkCard } from './link/link-card.tsx';
import { type Access, accessOf, isOver } from './link-access.ts';
import { ItemPreview } from './preview/item-preview.tsx';
import { LinkSettingsCard } from './settings/link-settings-card.tsx';
import { ViewsCard } from './views-card.tsx';

// Short metadata of an item: kind, size, dimensions, length and date.

const metadataOf = (item: LibraryItem, locale: Locale): readonly (string | null)[] => {
  const { t, format } = locale;
  const { type, size, durationMs, folderFiles, createdAt } = item.content;
  return [
    t.library.kind[type],
    dimensionsOf(item, locale),
    durationMs == null ? null : format.clock(durationMs),
    folderFiles == null ? null : t.item.preview.files(folderFiles),
    format.bytes(size),
    format.dateTime(new Date(createdAt)),
  ];
};

interface StateAdviceProps {
  readonly item: LibraryItem;
  readonly access: Access;
}

/**
 * Explains states of an item that its link cannot show (deleted, expired, used up, under review), with the available
 * actions.
 */
const StateAdvice = ({ item: { id, content }, access }: StateAdviceProps) => {
  const { changes, removal, view } = useAppStores();
  const { t } = useLocale();
  const words = t.item.state;

  const forget = (
    <Button
      icon={Trash2}
      onPress={() => {
        void removal.forget([id]);
        view.show('library');
      }}
    >
      {words.forget}
    </Button>
  );
  const letOneMoreIn = (): void =>
    void changes.make([id], { rearm: content.visibility === 'private' ? 'private' : 'unlisted' });

  switch (access.state) {
    case 'gone':
      return (
        <Alert tone="warn" title={words.gone} sentences={[words.goneText]}>
          {forget}
        </Alert>
      );
    case 'expired':
      return (
        <Alert tone="warn" title={words.expired} sentences={[words.expiredText]}>
          {forget}
        </Alert>
      );
    case 'deleting':
      return (
        <Alert tone="plain" title={words.deleting} sentences={[words.deletingText]}>
          <Button tone="primary" icon={Undo2} onPress={() => void removal.undo([id])}>
            {t.library.undo}
          </Button>
        </Alert>
      );
    case 'held':
      return (
        <Alert
          tone="warn"
          title={words.held}
          sentences={[access.hold === 'blocked' ? words.blockedText : words.heldText]}
        />
      );
    case 'consumed':
      return (
        <Alert tone="plain" title={words.consumed} sentences={[words.consumedText]}>
          <Button icon={RotateCcw} onPress={letOneMoreIn}>
            {words.again}
          </Button>
          <Button icon={Users} onPress={() => void changes.make([id], { oneTime: false })}>
            {words.everyone}
          </Button>
        </Alert>
      );
    case 'exhausted':
      return (
        <Alert tone="plain" title={words.exhausted} sentences={[words.exhaustedText]}>
          <Button onPress={() => void changes.make([id], { viewLimit: null })}>{words.noLimit}</Button>
        </Alert>
      );
    case 'private':
    case 'open':
      return null;
    default:
      return unreachable(access);
  }
};

/** The access sentence contains "today" and "tomorrow". */
const CLOCK_MS = 15_000;

export const LoadedItem = ({ item: known }: { readonly item: LibraryItem }) => {
  const { links, itemDetails, pictureText, removal } = useAppStores();
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
  const over = isOver(access);
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
          {!over && content.type === 'IMAGE' && (
            <Button icon={ScanText} onPress={() => void pictureText.copyFrom({ from: 'item', id })}>
              {t.pictureText.copyText}
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
      {failure && !over && <Alert tone="plain" title={t.item.unreached} sentences={[]} failure={failure} />}
      <div className={styles.columns}>
        <div className={styles.seen}>
          <ItemPreview item={item} isGone={over} />
        </div>
        <div className={styles.done}>
          <LinkCard item={item} access={access} now={now} />
          {over ? views : <LinkSettingsCard item={item} now={now} />}
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
