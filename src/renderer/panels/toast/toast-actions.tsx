/** The buttons of a capture's toast, and the line that replaces them after Delete: a countdown with an undo. */

import { Settings2, Trash2, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { CopyButton } from '../../components/links/copy-button.tsx';
import { OpenLink } from '../../components/links/open-link.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useNow } from '../../stores/use-app-stores.tsx';
import styles from './toast-card.module.css';
import type { useDeletion } from './use-deletion.ts';
import type { useLinkChange } from './use-link-change.ts';

const SECOND_MS = 1_000;
/** A deletion that takes longer, e.g. without a network, is no longer tracked here. */
const WATCHED_MS = 5_000;

interface ActionsProps {
  readonly item: QueueItem;
  readonly deletion: ReturnType<typeof useDeletion>;
  readonly options: ReturnType<typeof useLinkChange>;
}

export const Actions = ({ item, deletion, options }: ActionsProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const { id, name } = item;
  const words = t.panels.toast;
  return (
    <div className={styles.actions}>
      {item.state === 'linked' && (
        <>
          <CopyButton id={id} name={name} url={item.content.url} />
          <OpenLink id={id} name={name} url={item.content.url} />
        </>
      )}
      <IconButton
        icon={Settings2}
        label={words.optionsOf(name)}
        aria-expanded={options.isOpen}
        {...(options.isOpen && { 'aria-controls': options.panelId })}
        onPress={options.toggle}
      />
      <span className={styles.gap} />
      {item.state === 'linked' ? (
        <IconButton
          tone="danger"
          icon={Trash2}
          label={words.remove(name)}
          autoFocus={deletion.wasUndone}
          onPress={deletion.begin}
        />
      ) : (
        <Button
          tone="danger"
          aria-label={words.cancel(name)}
          onPress={() => void engine.run('queue.cancel', { ids: [id] })}
        >
          {t.panels.bar.cancel}
        </Button>
      )}
    </div>
  );
};

interface DeletionLineProps {
  readonly name: string;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  readonly onUndo: () => void;
  /** Called some seconds after the undo has expired, if the item is still there. */
  readonly onOver: () => void;
}

export const DeletionLine = ({ name, at, onUndo, onOver }: DeletionLineProps) => {
  const { t, format } = useLocale();
  const words = t.panels.toast;
  const now = useNow(SECOND_MS);
  const left = Math.ceil((at - now) / SECOND_MS);
  const isExpired = now > at + WATCHED_MS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has expired
  useEffect(() => {
    if (isExpired) onOver();
  }, [isExpired]);
  return (
    <div className={styles.actions}>
      <p className={styles.deleting}>{left > 0 ? words.deleting(format.duration(left)) : words.deletingNow}</p>
      <span className={styles.gap} />
      {left > 0 && (
        <Button icon={Undo2} autoFocus aria-label={words.undoOf(name)} onPress={onUndo}>
          {words.undo}
        </Button>
      )}
    </div>
  );
};
