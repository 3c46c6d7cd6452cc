/** The drawings of the pages of notes and folders, beside those of `icons.ts`. */
import { trusted } from './html.ts';

const icon = (paths: string) =>
  trusted(
    `<svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const NOTE_ICONS = {
  copy: icon('<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V5a1 1 0 0 1 1-1h10v1"/>'),
  raw: icon('<path d="M5 6h14"/><path d="M5 12h14"/><path d="M5 18h8"/>'),
} as const;
