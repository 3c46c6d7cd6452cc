/** The sign of Linkshot, drawn in place so that it is there with the first paint. The same drawing is `public/icon.svg`. */
export const Logo = ({ size }: { readonly size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#4a63e7" />
    <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
      <path d="M8 12.5V10a2 2 0 0 1 2-2h2.5M19.5 8H22a2 2 0 0 1 2 2v2.5M24 19.5V22a2 2 0 0 1-2 2h-2.5M12.5 24H10a2 2 0 0 1-2-2v-2.5" />
      <path d="m13 19 6-6m-4.5 0H19v4.5" />
    </g>
  </svg>
);
