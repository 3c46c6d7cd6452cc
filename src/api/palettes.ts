/** The palettes of the service's own pages, which an account chooses from. */
export const PALETTES = ['linkshot', 'ocean', 'forest', 'sunset', 'graphite'] as const;
