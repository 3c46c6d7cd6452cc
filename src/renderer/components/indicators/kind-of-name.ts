/** Guesses the kind of an item from its file name. */

import type { ContentType } from '../../../api/content.ts';

export type Kind = ContentType | 'UNKNOWN';

const PICTURES = /\.(png|jpe?g|webp|avif|gif)$/i;
const VIDEOS = /\.(mp4|webm|mov|mkv|m4v)$/i;

/** The kind guessed from the file name; only the server detects it reliably. */
export const kindOfName = (name: string): Kind => {
  if (PICTURES.test(name)) return 'IMAGE';
  return VIDEOS.test(name) ? 'VIDEO' : 'UNKNOWN';
};
