/** The Linkshot logo, inlined so that it is part of the first paint. */

import { LOGO } from '../../../common/design/logo.ts';

export const Logo = ({ size }: { readonly size: number }) => (
  <svg viewBox={LOGO.viewBox} width={size} height={size} aria-hidden="true">
    <rect width={LOGO.side} height={LOGO.side} rx={LOGO.corner} fill={LOGO.ground} />
    <g fill="none" stroke={LOGO.ink} strokeWidth={LOGO.stroke} strokeLinecap="round" strokeLinejoin="round">
      {LOGO.lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </g>
  </svg>
);
