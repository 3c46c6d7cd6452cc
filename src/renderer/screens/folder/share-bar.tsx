/**
 * Sticky bar with the button that shares a folder, or the reason why it cannot be shared. Also the hooks that return
 * this reason and the free space of the account.
 */

import { Upload, X } from 'lucide-react';
import { useId, useMemo } from 'react';
import type { FolderPreview } from '../../../common/folder/folder-preview.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './folder-screen.module.css';

// Why a folder cannot be shared: a limit of the service, too little storage, or no files.

interface ShareBlocker {
  readonly kind: 'limit' | 'empty' | 'room';
  readonly title: string;
  readonly advice: string;
  /** Label in place of the share button. */
  readonly short: string;
}

/** Free bytes of the active account; null: unknown. */
export const useFreeSpace = (): number | null =>
  useApp(({ connection }) => {
    const user = connection.state === 'none' ? null : (connection.account?.user ?? null);
    return user && Math.max(0, user.quotaBytes - user.storageUsed);
  });

export const useShareBlocker = ({ refusal, textBytes }: FolderPreview): ShareBlocker | null => {
  const { t, failure } = useLocale();
  const freeBytes = useFreeSpace();
  return useMemo(() => {
    const words = t.folder;
    if (refusal?.code === 'FOLDER_EMPTY') return { kind: 'empty', ...failure(refusal), short: words.blocked.empty };
    if (refusal) {
      return { kind: 'limit', title: failure(refusal).title, advice: words.over.how, short: words.blocked.limits };
    }
    // The service recompresses a folder, which needs less space than its text.
    return freeBytes === null || textBytes <= freeBytes
      ? null
      : { kind: 'room', title: words.over.room, advice: words.over.roomText, short: words.blocked.limits };
  }, [refusal, textBytes, freeBytes, t, failure]);
};

interface ShareBarProps {
  readonly folder: WaitingFolder;
  readonly preview: FolderPreview;
  /** Why it cannot be shared; null: it can. */
  readonly reason: string | null;
  readonly share: LinkSettings;
}

export const ShareBar = ({ folder, preview, reason, share }: ShareBarProps) => {
  const { folders } = useAppStores();
  const { t, format } = useLocale();
  const id = useId();
  const { token, state, sentFraction } = folder;
  const { files, textBytes, skippedFiles, uncountedFolders } = preview;
  const out = t.folder.out.count(skippedFiles, uncountedFolders);
  const isSharing = state === 'sharing';
  return (
    <div className={styles.bar}>
      <p className={styles.barText} id={id}>
        {reason ??
          (isSharing
            ? t.folder.sharing(format.percent(sentFraction))
            : out === ''
              ? t.folder.out.none
              : t.folder.stays(out))}
      </p>
      {isSharing ? (
        <Button icon={X} onPress={() => folders.stopSharing(token)}>
          {t.folder.reading.stop}
        </Button>
      ) : (
        <Button onPress={() => folders.remove(token)}>{t.folder.decline}</Button>
      )}
      {reason !== null ? (
        <Button tone="primary" aria-describedby={id} onPress={() => folders.rescan(token)}>
          {t.folder.again}
        </Button>
      ) : (
        <Button
          tone="primary"
          icon={Upload}
          isPending={isSharing}
          aria-describedby={id}
          onPress={() => void folders.share(token, share)}
        >
          {t.folder.share(files, format.bytes(textBytes))}
        </Button>
      )}
    </div>
  );
};
