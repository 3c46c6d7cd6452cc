/** The frame of pages that show text: their style sheet, and a link preview that tells no word of the text. */
import { html } from './html.ts';
import { NOTE_SHEET } from './note-styles.ts';
import type { ShareFrame } from './share-frame.ts';

export const TEXT_FRAME = {
  head: html`<link rel="stylesheet" href="${NOTE_SHEET.path}">\n`,
  preview: { type: 'article', more: html`<meta name="twitter:card" content="summary">\n` },
} as const satisfies Partial<ShareFrame>;
