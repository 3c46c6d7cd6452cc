/**
 * The shapes of the Linkshot logo, and the logo as an SVG. The app's window, the server's pages, and the icons of both
 * use it.
 */

/** In the units of its view box. */
export const LOGO = {
  viewBox: '0 0 32 32',
  side: 32,
  corner: 8,
  ground: '#4a63e7',
  ink: '#fff',
  stroke: 2.6,
  lines: [
    'M8 12.5V10a2 2 0 0 1 2-2h2.5M19.5 8H22a2 2 0 0 1 2 2v2.5M24 19.5V22a2 2 0 0 1-2 2h-2.5M12.5 24H10a2 2 0 0 1-2-2v-2.5',
    'm13 19 6-6m-4.5 0H19v4.5',
  ],
} as const;

/** `size` in CSS pixels. For a page that shows the name beside the logo, so it is hidden from screen readers. */
export const logoSvg = (size: number): string => {
  const { viewBox, side, corner, ground, ink, stroke, lines } = LOGO;
  const paths = lines.map((line) => `<path d="${line}"/>`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${size}" height="${size}" aria-hidden="true"><rect width="${side}" height="${side}" rx="${corner}" fill="${ground}"/><g fill="none" stroke="${ink}" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round">${paths}</g></svg>`;
};
