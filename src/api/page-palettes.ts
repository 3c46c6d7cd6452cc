/** Ids of the colour palettes of the service's web pages. An account chooses one of them. */
export const PALETTES = ['linkshot', 'ocean', 'forest', 'sunset', 'graphite'] as const;
