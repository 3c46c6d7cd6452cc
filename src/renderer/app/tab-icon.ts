/** Draws the page's tab icon: the logo with a progress ring, or with a mark while the user is needed. Pure. */

import { LOGO, logoSvg } from '../../common/design/logo.ts';

/** `part` is in [0, 1]. */
export type TabIcon = { readonly shows: 'part'; readonly part: number } | { readonly shows: 'mark' };

/** Both are visible on light and dark tabs, because they are drawn on the logo's own background. */
const RING = '#ffd166';
const MARK = '#ff5a52';
const MIDDLE = LOGO.side / 2;
const RADIUS = MIDDLE - 3;
const STROKE = 6;

/** An arc around the logo, clockwise from the top. */
const ring = (part: number): string => {
  const around = 2 * Math.PI * RADIUS;
  const circle = `cx="${MIDDLE}" cy="${MIDDLE}" r="${RADIUS}" fill="none" stroke-width="${STROKE}"`;
  return `<circle ${circle} stroke="${LOGO.ink}" stroke-opacity=".35"/><circle ${circle} stroke="${RING}" stroke-dasharray="${(around * part).toFixed(2)} ${around.toFixed(2)}" transform="rotate(-90 ${MIDDLE} ${MIDDLE})"/>`;
};

const mark = `<circle cx="24" cy="8" r="8" fill="${MARK}" stroke="${LOGO.ink}" stroke-width="2"/>`;

/** As a data URL, which the hosts' content security policy allows for images. */
export const tabIconUrl = (icon: TabIcon): string => {
  const drawn = icon.shows === 'part' ? ring(icon.part) : mark;
  return `data:image/svg+xml,${encodeURIComponent(logoSvg(LOGO.side).replace('</svg>', `${drawn}</svg>`))}`;
};
