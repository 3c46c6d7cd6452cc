/** A folder after the scan: tree, totals, excluded files, link settings and the share button. */

import { useDeferredValue, useMemo, useState } from 'react';
import type { FolderPreview } from '../../../common/folder/preview.ts';
import type { LinkChange } from '../../components/links/link-options.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { WaitingFolder } from '../../stores/file-input/pending-folders.ts';
import { ExcludedFilesCard } from './excluded-files-card.tsx';
import styles from './folder-screen.module.css';
import { LinkCard } from './link-card.tsx';
import { ShareBar } from './share-bar.tsx';
import { TotalsCard } from './totals-card.tsx';
import { biggest, reasonsOf, type Shown, treeOf } from './tree.ts';
import { TreePane } from './tree-pane.tsx';
import { useShareBlocker } from './use-share-blocker.ts';

interface FolderViewProps {
  readonly folder: WaitingFolder;
  readonly preview: FolderPreview;
}

/** Number of folders named when the folder is too large. */
const NAMED = 3;

export const FolderView = ({ folder, preview }: FolderViewProps) => {
  const { t, format, failure: describe } = useLocale();
  const root = useMemo(() => treeOf(preview), [preview]);
  const reasons = useMemo(() => reasonsOf(preview.skipped), [preview]);
  const [shown, setShown] = useState<Shown>('all');
  const [text, setText] = useState('');
  const [title, setTitle] = useState(preview.name);
  const [link, setLink] = useState<LinkChange>({});
  const obstacle = useShareBlocker(preview);
  const query = useDeferredValue(useMemo(() => ({ shown, text: text.trim().toLowerCase() }), [shown, text]));
  const named = title.trim();
  const large = biggest(root, NAMED).map(({ name, size }) => `${name} (${format.bytes(size)})`);

  return (
    <>
      <ShareBar
        folder={folder}
        preview={preview}
        reason={obstacle?.short ?? null}
        share={{ ...link, ...(named !== '' && { title: named }) }}
      />
      {obstacle && (
        <Advice
          tone={obstacle.kind === 'empty' ? 'warn' : 'bad'}
          title={obstacle.title}
          sentences={[
            ...(obstacle.kind === 'limit' && large.length > 0 ? [t.folder.over.biggest(format.list(large))] : []),
            obstacle.advice,
          ]}
        />
      )}
      {folder.failure && folder.failure.code !== 'CANCELLED' && (
        <div role="alert">
          <Advice
            tone="bad"
            title={describe(folder.failure).title}
            sentences={[describe(folder.failure).advice]}
            failure={folder.failure}
          />
        </div>
      )}
      {preview.gitignore === 'complex' && (
        <Advice tone="warn" title={t.folder.out.reasons.gitignore.title} sentences={[t.folder.complexIgnore]} />
      )}
      <div className={styles.columns}>
        <TreePane
          name={preview.name}
          root={root}
          query={query}
          shown={shown}
          text={text}
          onShow={setShown}
          onText={setText}
        />
        <div className={styles.aside}>
          <TotalsCard preview={preview} />
          <ExcludedFilesCard reasons={reasons} preview={preview} shown={shown} onShow={setShown} />
          <LinkCard title={title} link={link} onTitle={setTitle} onLink={setLink} />
        </div>
      </div>
    </>
  );
};
