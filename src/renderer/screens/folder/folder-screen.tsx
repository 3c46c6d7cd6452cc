/** Review of a folder before it is shared: included and excluded files, limits, and the share button. */

import { ArrowLeft, FolderOpen, FolderX, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import type { SourceToken } from '../../../api/ids.ts';
import { Button } from '../../components/buttons/button.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { EmptyState } from '../../components/overlays/empty-state.tsx';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { isWaiting, type WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { useAppStores, useFolders, useMainSection } from '../../stores/use-app-stores.tsx';
import styles from './folder-screen.module.css';
import { FolderView } from './folder-view.tsx';
import { PendingFolders } from './pending-folders.tsx';
import { ScanProgress } from './scan-progress.tsx';

export const FolderScreen = ({ token }: { readonly token: SourceToken }) => {
  const { view, folders } = useAppStores();
  const { t } = useLocale();
  const place = useMainSection();
  const all = useFolders();
  const waiting = all.filter(isWaiting);
  const folder = all.find((known) => known.token === token);
  useEffect(() => folders.ensure(token), [folders, token]);
  return (
    <div className={styles.screen}>
      <div className={styles.back}>
        <Button tone="quiet" icon={ArrowLeft} onPress={view.back}>
          {t.app[place]}
        </Button>
      </div>
      <header className={styles.head}>
        <h1 className={styles.name} title={folder?.name ?? undefined}>
          {folder?.name ?? t.folder.screen}
        </h1>
        {folder?.state !== 'lost' && <p className={styles.lead}>{t.folder.lead}</p>}
      </header>
      {waiting.length > 1 && <PendingFolders folders={waiting} shown={token} />}
      {folder && <Stage folder={folder} />}
    </div>
  );
};

const Stage = ({ folder }: { readonly folder: WaitingFolder }) => {
  const { token, state, preview, failure } = folder;
  if (state === 'reading') return <ScanProgress folder={folder} />;
  if (!preview || state === 'lost') return failure ? <LostFolder folder={folder} /> : null;
  if (preview.files === 0 && preview.skipped.length === 0) return <EmptyFolder token={token} />;
  return <FolderView folder={folder} preview={preview} />;
};

/** The folder contains no files. */
const EmptyFolder = ({ token }: { readonly token: SourceToken }) => {
  const { folders } = useAppStores();
  const { chooseFolder } = useFileInput();
  const { t } = useLocale();
  return (
    <EmptyState icon={FolderX} title={t.folder.empty} text={t.folder.emptyText}>
      <div className={styles.actions}>
        <Button onPress={() => folders.remove(token)}>{t.folder.decline}</Button>
        <Button
          tone="primary"
          icon={FolderOpen}
          onPress={() => {
            folders.remove(token);
            chooseFolder();
          }}
        >
          {t.folder.choose}
        </Button>
      </div>
    </EmptyState>
  );
};

const LostFolder = ({ folder: { token, failure } }: { readonly folder: WaitingFolder }) => {
  const { folders } = useAppStores();
  const { chooseFolder } = useFileInput();
  const { t, failure: describe } = useLocale();
  if (!failure) return null;
  const isGone = failure.code === 'COMMAND_INVALID';
  const text = describe(failure);
  return (
    <div role="alert">
      <Advice
        tone={isGone ? 'plain' : 'bad'}
        title={isGone ? t.folder.lost.title : text.title}
        sentences={[isGone ? t.folder.lost.text : text.advice]}
        {...(!isGone && { failure })}
      >
        {!isGone && (
          <Button tone="primary" icon={RefreshCw} onPress={() => folders.rescan(token)}>
            {t.folder.again}
          </Button>
        )}
        <Button
          icon={FolderOpen}
          tone={isGone ? 'primary' : 'outline'}
          onPress={() => {
            folders.remove(token);
            chooseFolder();
          }}
        >
          {t.folder.choose}
        </Button>
      </Advice>
    </div>
  );
};
