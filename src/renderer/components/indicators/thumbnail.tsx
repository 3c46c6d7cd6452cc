/** A small picture of an item, or the icon of its kind where there is none. It never changes its size. */

import { File, FileText, Film, Folder, Image as ImageIcon, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ContentType } from '../../../api/content.ts';
import { cx } from '../../design/cx.ts';
import type { DragOut } from '../links/use-drag-out.ts';
import styles from './thumbnail.module.css';

export type Kind = ContentType | 'UNKNOWN';

const ICONS: Record<Kind, LucideIcon> = {
  IMAGE: ImageIcon,
  VIDEO: Film,
  PASTE: FileText,
  FOLDER: Folder,
  UNKNOWN: File,
};

/** Of these there is never a small picture. */
const UNPICTURED: ReadonlySet<Kind> = new Set(['PASTE', 'FOLDER']);

const PICTURES = /\.(png|jpe?g|webp|avif|gif)$/i;
const VIDEOS = /\.(mp4|webm|mov|mkv|m4v)$/i;

/** The kind that a file's name suggests; only the server knows it for sure. */
export const kindOfName = (name: string): Kind => {
  if (PICTURES.test(name)) return 'IMAGE';
  return VIDEOS.test(name) ? 'VIDEO' : 'UNKNOWN';
};

interface ThumbnailProps {
  /** Null: there is no picture to ask for. */
  readonly src: string | null;
  readonly kind: Kind;
  /** A missing picture is asked for again when this changes: by then there may be one. */
  readonly stage?: string;
  /** `fill`: as large as its place. */
  readonly size?: 'small' | 'fill';
  /** Lets the picture be dragged out of the app. */
  readonly drag?: DragOut;
}

export const Thumbnail = ({ src, kind, stage = '', size = 'small', drag }: ThumbnailProps) => {
  const [missing, setMissing] = useState<string | null>(null);
  const asked = `${src} ${stage}`;
  const isAsked = src !== null && !UNPICTURED.has(kind) && asked !== missing;
  const Icon = ICONS[kind];
  return (
    <span className={cx(styles.frame, styles[size])} {...drag}>
      {/* Not behind a picture that is about to cover it: in a long list that is work for nothing. */}
      {!(isAsked && missing === null && kind !== 'UNKNOWN') && <Icon size={20} strokeWidth={1.6} aria-hidden />}
      {isAsked && (
        <Picture key={`${src} ${missing}`} src={src} stage={stage} onMissing={(at) => setMissing(`${src} ${at}`)} />
      )}
    </span>
  );
};

interface PictureProps {
  readonly src: string;
  readonly stage: string;
  /** Told the stage at which it was asked for, which may be over by now. */
  readonly onMissing: (stage: string) => void;
}

/** Asked for once. */
const Picture = ({ src, stage, onMissing }: PictureProps) => {
  const [asked] = useState(stage);
  return (
    <img
      className={styles.picture}
      src={src}
      alt=""
      decoding="async"
      // What is dragged is the item, not its small picture.
      draggable={false}
      onError={() => onMissing(asked)}
    />
  );
};
