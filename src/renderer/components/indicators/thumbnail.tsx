/**
 * Thumbnail of an item, or the icon of its kind where there is none. Its size does not depend on whether the image is
 * loaded.
 */

import { File, FileText, Film, Folder, Image as ImageIcon, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '../../design/class-names.ts';
import type { DragOut } from '../../file-input/use-drag-out.ts';
import type { Kind } from './kind-of-name.ts';
import styles from './thumbnail.module.css';

const ICONS: Record<Kind, LucideIcon> = {
  IMAGE: ImageIcon,
  VIDEO: Film,
  PASTE: FileText,
  FOLDER: Folder,
  UNKNOWN: File,
};

/** Kinds that never have a thumbnail. */
const UNPICTURED: ReadonlySet<Kind> = new Set(['PASTE', 'FOLDER']);

interface ThumbnailProps {
  /** Null: no thumbnail exists. */
  readonly src: string | null;
  /** It exists from now on: asks again where it was missing before. */
  readonly isMade?: boolean;
  readonly kind: Kind;
  /** `fill`: as large as the container. */
  readonly size?: 'small' | 'fill';
  /** Makes the thumbnail draggable out of the app. */
  readonly drag?: DragOut;
}

export const Thumbnail = ({ src, isMade = false, kind, size = 'small', drag }: ThumbnailProps) => {
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    if (isMade) setMissing(null);
  }, [isMade]);
  const isAsked = src !== null && !UNPICTURED.has(kind) && src !== missing;
  const Icon = ICONS[kind];
  return (
    <span className={cx(styles.frame, styles[size])} {...drag}>
      {/* Not rendered behind a thumbnail about to cover it, which would be wasted work in a long list. */}
      {!(isAsked && kind !== 'UNKNOWN') && <Icon size={20} strokeWidth={1.6} aria-hidden />}
      {isAsked && (
        <img
          className={styles.picture}
          src={src}
          alt=""
          decoding="async"
          // The drag carries the item, not the thumbnail.
          draggable={false}
          onError={() => setMissing(src)}
        />
      )}
    </span>
  );
};
