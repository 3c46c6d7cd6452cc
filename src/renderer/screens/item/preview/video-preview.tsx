/** Video player. Until the service has prepared the video, shows that it is being processed, or that this failed. */

import { type ReactNode, useState } from 'react';
import { failure } from '../../../../api/errors.ts';
import type { ItemId } from '../../../../api/ids.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { titleOf } from '../../../stores/published/item-title.ts';
import { useAppStores, useItemThumbnail } from '../../../stores/use-app-stores.tsx';
import frame from './preview.module.css';
import styles from './video-preview.module.css';

export const VideoPreview = ({ item }: { readonly item: LibraryItem }) => {
  switch (item.content.mediaStatus) {
    case 'PROCESSING':
      return <Processing item={item} />;
    case 'FAILED':
      return <Failed item={item} />;
    default:
      return <Player item={item} />;
  }
};

const Player = ({ item }: { readonly item: LibraryItem }) => {
  const { addresses } = useAppStores();
  const { t } = useLocale();
  const words = t.item.preview;
  const { id, content } = item;
  const [tries, setTries] = useState(0);
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return (
      <div className={frame.advice} role="alert">
        <Alert tone="warn" title={words.failed} sentences={[words.failedText]}>
          <Button
            onPress={() => {
              setBroken(false);
              setTries(tries + 1);
            }}
          >
            {words.retry}
          </Button>
        </Alert>
      </div>
    );
  return (
    <video
      key={tries}
      className={styles.video}
      src={addresses.mediaUrl(id)}
      {...(content.previewUrl != null && { poster: addresses.mediaUrl(id, 'preview') })}
      {...(content.width != null && content.height != null && { width: content.width, height: content.height })}
      controls
      playsInline
      preload="metadata"
      aria-label={words.video(titleOf(item))}
      onError={() => setBroken(true)}
    />
  );
};

/** Thumbnail of a video that cannot be played, with the reason. */
const Unplayable = ({ id, children }: { readonly id: ItemId; readonly children: ReactNode }) => {
  return (
    <div className={styles.processing}>
      <span className={styles.poster}>
        <Thumbnail {...useItemThumbnail(id)} kind="VIDEO" size="fill" />
      </span>
      {children}
    </div>
  );
};

const Processing = ({ item: { id } }: { readonly item: LibraryItem }) => {
  const { t } = useLocale();
  const words = t.item.preview;
  return (
    <Unplayable id={id}>
      <div className={styles.bar}>
        <ProgressBar label={words.processing} valueText={words.processing} fraction={null} tone="moving" />
      </div>
      <div role="status">
        <p className={styles.title}>{words.processing}</p>
        <p className={styles.quiet}>{words.processingText}</p>
      </div>
    </Unplayable>
  );
};

const Failed = ({ item: { id, content } }: { readonly item: LibraryItem }) => {
  const { t } = useLocale();
  const words = t.item.preview;
  return (
    <Unplayable id={id}>
      <Alert
        tone="warn"
        title={words.mediaFailed}
        sentences={[words.mediaFailedText]}
        {...(content.mediaError != null && { failure: failure('VIDEO_UNREADABLE', content.mediaError) })}
      />
    </Unplayable>
  );
};
