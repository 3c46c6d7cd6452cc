/** What can be done with all chosen items at once; it is there while some are. */

import { Copy, SlidersHorizontal, Trash2, X } from 'lucide-react';
import { DialogTrigger } from 'react-aria-components/Dialog';
import type { LinkSettings } from '../../../contract/app/link-settings.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { LinkOptions, type LinkOptionsValue } from '../../parts/link-options.tsx';
import { Popover } from '../../parts/popover.tsx';
import { useLibrary, usePage, usePending } from '../../stores/use-page.tsx';
import styles from './chosen-bar.module.css';
import { commonOf } from './common.ts';

export const ChosenBar = () => {
  const { changes, library, links, removal } = usePage();
  const { t } = useLocale();
  const { chosen, items } = useLibrary();
  const pending = usePending();
  if (chosen.size === 0) return null;
  const ids = [...chosen];
  const shown = items.filter(({ id }) => chosen.has(id)).map((item) => changes.laidOver(item, pending));
  const common: LinkOptionsValue = commonOf(shown);
  const change = (wish: LinkSettings): void => void changes.make(ids, wish);
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.library.chosenLabel}>
      <p className={styles.count} role="status">
        {t.library.chosen(chosen.size)}
      </p>
      <Button icon={Copy} onPress={() => void links.copyAll(ids)}>
        {t.library.copyLinks}
      </Button>
      <DialogTrigger>
        <Button icon={SlidersHorizontal}>{t.library.change}</Button>
        <Popover label={t.library.change} placement="top end">
          <LinkOptions value={common} onChange={change} />
        </Popover>
      </DialogTrigger>
      <Button tone="danger" icon={Trash2} onPress={() => void removal.remove(ids)}>
        {t.library.delete}
      </Button>
      <span className={styles.rest} />
      <IconButton icon={X} label={t.library.chooseNone} onPress={library.chooseNone} />
    </div>
  );
};
