/** The layout of pages that show text: their style sheet, and a link preview without any of the text. */
import { html } from '../../html.ts';
import type { ShareFrame } from '../frame.ts';
import { NOTE_SHEET } from './styles.ts';

export const TEXT_FRAME = {
  head: html`<link rel="stylesheet" href="${NOTE_SHEET.path}">\n`,
  preview: { type: 'article', more: html`<meta name="twitter:card" content="summary">\n` },
} as const satisfies Partial<ShareFrame>;
