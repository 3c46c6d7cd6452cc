/**
 * The list of finished uploads with their links, newest first. An upload leaves it when the user removes it from the
 * list or deletes the item; a start of the app keeps the last 100.
 */

import { Copy, ScanText, X } from 'lucide-react';
import { memo } from 'react';
import { Button as OpenButton } from 'react-aria-components/Button';
import type { QueueItemIn } from '../../../../ipc/protocol/queue-item.ts';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { LinkField } from '../../../components/links/link-field.tsx';
import { cx } from '../../../design/class-names.ts';
import { useDragOut } from '../../../file-input/use-drag-out.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores, useThumbnail } from '../../../stores/use-app-stores.tsx';
import styles from '../section.module.css';
import { preparedSummary } from './prepared-summary.ts';
import row from './row.module.css';

type Finished = QueueItemIn<'linked'>;

export const FinishedList = ({ items }: { readonly items: readonly Finished[] }) => {
  const { engine, links } = useAppStores();
  const { t } = useLocale();
  const ids = items.map(({ id }) => id);
  return (
    <section aria-labelledby="finished-title">
      <div className={styles.head}>
        <h2 id="finished-title">{t.queue.finished}</h2>
        <span className={cx(styles.aside, styles.spare)}>{t.queue.clearHint}</span>
        {ids.length > 1 && (
          <Button tone="quiet" icon={Copy} onPress={() => void links.copyAll(ids)}>
            {t.queue.copyAll}
          </Button>
        )}
        <Button tone="quiet" onPress={() => void engine.run('queue.dismiss', { ids })}>
          {t.queue.clearFinished}
        </Button>
      </div>
      <ul className={styles.list} aria-labelledby="finished-title">
        {items.map((item) => (
          <FinishedRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
};

const FinishedRow = memo(({ item }: { readonly item: Finished }) => {
  const { engine, pictureText, view } = useAppStores();
  const { t, format } = useLocale();
  // Only a host with clipboard access knows that the link was copied.
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const isCopied = byHost && item.isCopied;
  const { id, name, content } = item;
  const drag = useDragOut(id, content.url);
  return (
    <li className={row.row}>
      <Thumbnail src={useThumbnail(id)} kind={content.type} drag={drag} />
      <div>
        <OpenButton
          className={cx(row.name, row.opens)}
          aria-label={t.queue.actions.openItem(name)}
          onPress={() => view.open({ screen: 'item', id })}
        >
          <span title={name}>{name}</span>
        </OpenButton>
        <MetaLine
          facts={[
            <span key="state" className={cx(row.good)}>
              {isCopied ? t.queue.phase.delivered : t.queue.phase.linked}
            </span>,
            format.bytes(item.size),
            item.body !== null && preparedSummary(item.body.made, { t, format }),
          ]}
        />
      </div>
      <div className={row.actions}>
        {content.type === 'IMAGE' && (
          <IconButton
            icon={ScanText}
            label={t.pictureText.copyTextOf(name)}
            onPress={() => void pictureText.copyFrom({ from: 'item', id })}
          />
        )}
        <IconButton
          icon={X}
          label={t.queue.actions.dismiss(name)}
          onPress={() => void engine.run('queue.dismiss', { ids: [id] })}
        />
      </div>
      <div className={row.below}>
        <LinkField id={id} name={name} url={content.url} />
      </div>
    </li>
  );
});
