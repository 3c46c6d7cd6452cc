/** The few drawings of the pages, inline so that a page asks for nothing it can do without. */
import { type Html, trusted } from './html.ts';

const icon = (paths: string, size: number): Html =>
  trusted(
    `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const ICONS = {
  brand: icon(
    '<path d="M9 17H7A5 5 0 0 1 7 7h2"/><path d="M15 7h2a5 5 0 0 1 0 10h-2"/><circle cx="12" cy="12" r="2.2" fill="currentColor" stroke="none"/>',
    26,
  ),
  lock: icon('<rect x="4" y="11" width="16" height="10" rx="2"/><path d="M8 11V7a4 4 0 0 1 8 0v4"/>', 26),
  once: icon('<circle cx="12" cy="12" r="9"/><path d="M10.5 9.5 12.5 8v8"/>', 26),
  eye: icon('<path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12Z"/><circle cx="12" cy="12" r="3"/>', 26),
  broken: icon('<path d="M9 17H7A5 5 0 0 1 5 7.4"/><path d="M15 7h2a5 5 0 0 1 2.6 9.3"/><path d="m3 3 18 18"/>', 26),
  warning: icon('<path d="M12 3 2 20h20L12 3Z"/><path d="M12 10v4"/><path d="M12 17.5v.01"/>', 26),
  download: icon('<path d="M12 4v11"/><path d="m7 11 5 5 5-5"/><path d="M5 20h14"/>', 18),
  link: icon('<path d="M9 17H7A5 5 0 0 1 7 7h2"/><path d="M15 7h2a5 5 0 0 1 0 10h-2"/><path d="M8 12h8"/>', 18),
  spinner: trusted(
    '<svg class="spinner" width="32" height="32" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true"><path d="M12 3a9 9 0 1 0 9 9"/></svg>',
  ),
} as const;
