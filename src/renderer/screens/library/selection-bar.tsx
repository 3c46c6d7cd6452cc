/** Actions for the selected items; shown while any are selected. */

import { Copy, SlidersHorizontal, Trash2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { DialogTrigger } from 'react-aria-components/Dialog';
import type { ItemChange } from '../../../ipc/protocol/link-settings.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { LinkOptions, type LinkOptionsValue } from '../../components/links/link-options.tsx';
import { Popover } from '../../components/overlays/popover.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useFailedChanges, useLibrary, usePending } from '../../stores/use-app-stores.tsx';
import styles from './selection-bar.module.css';
import { SelectionTags } from './selection-tags.tsx';
import { commonOf } from './shared-values.ts';

/** Pixels between the bar and a toast above it. */
const GAP = 8;

/** Keeps toasts above the bar while it is shown. */
const useFloor = () => {
  const floor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = floor.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const watcher = new ResizeObserver(() => style.setProperty('--floor', `${element.offsetHeight + GAP}px`));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      style.removeProperty('--floor');
    };
  }, []);
  return floor;
};

export const SelectionBar = () => {
  const { selected } = useLibrary();
  return selected.size === 0 ? null : <Bar />;
};

/** Repeats the failed changes inside the dialog, because the page below is inert while it is open. */
const FailedChangesNotice = () => {
  const { t, failure: describe } = useLocale();
  const words = t.item.refused;
  const last = useFailedChanges(null).at(-1);
  const isSome = last && last.outcome === 'unchanged' && last.ids.length < last.asked;
  return (
    <p role="alert" className={styles.refused}>
      {last && `${last.outcome === 'unknown' ? words.unknownTitle : words.title}: ${describe(last.failure).title}. `}
      {isSome && words.keptSome(last.ids.length, last.asked)}
    </p>
  );
};

const Bar = () => {
  const { changes, library, links, removal } = useAppStores();
  const { t } = useLocale();
  const { selected, items } = useLibrary();
  const pending = usePending();
  const bar = useFloor();
  const ids = [...selected];
  const shown = items.filter(({ id }) => selected.has(id)).map((item) => changes.withPending(item, pending));
  const common: LinkOptionsValue = commonOf(shown);
  const change = (change: ItemChange): void => void changes.make(ids, change);
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={t.library.chosenLabel}>
      <IconButton icon={X} label={t.library.chooseNone} onPress={library.clearSelection} />
      <p className={styles.count}>{t.library.chosen(selected.size)}</p>
      <Button icon={Copy} onPress={() => void links.copyAll(ids)}>
        {t.library.copyLinks}
      </Button>
      <DialogTrigger>
        <Button icon={SlidersHorizontal}>{t.library.change}</Button>
        <Popover label={t.library.change} placement="top end" size="wide">
          <LinkOptions value={common} onChange={change} />
          <SelectionTags items={shown} onChange={change} />
          <FailedChangesNotice />
        </Popover>
      </DialogTrigger>
      <Button tone="danger" icon={Trash2} onPress={() => void removal.remove(ids)}>
        {t.library.delete}
      </Button>
    </div>
  );
};
