/**
 * The design tokens of the app's windows and of the server's pages: colours, spaces, radii, type and motion, in both
 * themes. `data-theme` and `data-palette` of the root element override the system's theme and the default palette.
 */
export const TOKENS_CSS = /* css */ `
:root {
  color-scheme: light dark;

  /* Colour: neutral greys and one accent. Text on any surface reaches 4.5 : 1. */
  --canvas: light-dark(oklch(0.98 0 0), oklch(0.175 0.003 265));
  --surface: light-dark(oklch(1 0 0), oklch(0.22 0.004 265));
  /* For elements raised above a tinted surface. */
  --surface-lifted: light-dark(oklch(1 0 0), oklch(0.36 0.006 265));
  --surface-sunken: light-dark(oklch(0.962 0 0), oklch(0.19 0.003 265));
  --surface-hover: light-dark(oklch(0.3 0.01 265 / 6%), oklch(1 0 0 / 7%));
  --surface-pressed: light-dark(oklch(0.3 0.01 265 / 11%), oklch(1 0 0 / 12%));
  --line: light-dark(oklch(0.91 0.002 265), oklch(0.3 0.004 265));
  --line-strong: light-dark(oklch(0.66 0.004 265), oklch(0.54 0.004 265));
  --text: light-dark(oklch(0.23 0.004 265), oklch(0.94 0.002 265));
  --text-quiet: light-dark(oklch(0.48 0.005 265), oklch(0.73 0.004 265));

  /* The account's palette rotates the accent's hue; its lightness, and with it the contrast, is constant. */
  --hue: 265;
  --vivid: 1;
  --accent: light-dark(
    oklch(0.55 calc(0.2 * var(--vivid)) var(--hue)),
    oklch(0.55 calc(0.19 * var(--vivid)) var(--hue))
  );
  --accent-hover: light-dark(
    oklch(0.5 calc(0.2 * var(--vivid)) var(--hue)),
    oklch(0.52 calc(0.19 * var(--vivid)) var(--hue))
  );
  --accent-text: light-dark(
    oklch(0.5 calc(0.2 * var(--vivid)) var(--hue)),
    oklch(0.77 calc(0.11 * var(--vivid)) var(--hue))
  );
  --accent-soft: light-dark(
    oklch(0.955 calc(0.022 * var(--vivid)) var(--hue)),
    oklch(0.29 calc(0.06 * var(--vivid)) var(--hue))
  );
  --on-accent: oklch(1 0 0);

  --good: light-dark(oklch(0.49 0.12 152), oklch(0.78 0.14 152));
  --warn: light-dark(oklch(0.5 0.11 70), oklch(0.81 0.12 80));
  --warn-soft: light-dark(oklch(0.965 0.028 85), oklch(0.275 0.032 75));
  --bad: light-dark(oklch(0.52 0.19 25), oklch(0.77 0.13 25));
  --bad-soft: light-dark(oklch(0.965 0.016 25), oklch(0.275 0.042 25));

  /* Code, wherever it is shown. Its text colours reach 4.5 : 1 on every surface. */
  --code-comment: light-dark(oklch(0.5 0.015 265), oklch(0.7 0.015 265));
  --code-keyword: light-dark(oklch(0.48 0.21 300), oklch(0.78 0.13 305));
  --code-string: light-dark(oklch(0.46 0.12 150), oklch(0.8 0.12 150));
  --code-number: light-dark(oklch(0.5 0.13 50), oklch(0.8 0.11 65));
  --code-name: light-dark(oklch(0.48 0.19 262), oklch(0.78 0.11 255));
  --code-type: light-dark(oklch(0.47 0.09 205), oklch(0.8 0.09 200));
  --code-attribute: light-dark(oklch(0.5 0.15 20), oklch(0.78 0.11 25));
  --code-added: light-dark(oklch(0.95 0.05 150), oklch(0.3 0.05 150));
  --code-removed: light-dark(oklch(0.95 0.035 20), oklch(0.3 0.06 20));
  --code-target: light-dark(oklch(0.95 0.05 95), oklch(0.32 0.05 95));

  --shadow-raised: 0 1px 2px light-dark(oklch(0 0 0 / 5%), oklch(0 0 0 / 30%));
  --shadow-floating:
    0 10px 32px light-dark(oklch(0 0 0 / 14%), oklch(0 0 0 / 50%)),
    0 1px 3px light-dark(oklch(0 0 0 / 8%), oklch(0 0 0 / 40%));
  /* For panels in a window of their own: the shadow ends within the 8 px that such a window leaves around its cards. */
  --shadow-near: 0 2px 6px light-dark(oklch(0 0 0 / 22%), oklch(0 0 0 / 55%));

  /* Space: steps of 4 px. */
  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-5: 1.25rem;
  --space-6: 1.5rem;
  --space-8: 2rem;
  --space-12: 3rem;

  --radius-small: 0.375rem;
  --radius: 0.5rem;
  --radius-card: 0.875rem;
  --radius-round: 999px;

  /* Type: the system's own font. */
  --font: system-ui, -apple-system, "Segoe UI Variable", "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --size-small: 0.8125rem;
  --size: 0.875rem;
  --size-large: 1rem;
  --size-title: 1.375rem;
  --leading: 1.45;
  --weight-strong: 600;

  --control: 2.25rem;
  --control-small: 2rem;
  --content-width: 50rem;
  --content-width-wide: 72rem;
  --sidebar-width: 14rem;

  --motion-fast: 120ms;
  --motion: 200ms;
  --ease: cubic-bezier(0.2, 0, 0, 1);
}

[data-palette="linkshot"] {
  --hue: 265;
  --vivid: 1;
}

[data-palette="ocean"] {
  --hue: 230;
  --vivid: 0.5;
}

[data-palette="forest"] {
  --hue: 150;
  --vivid: 0.6;
}

[data-palette="sunset"] {
  --hue: 35;
  --vivid: 0.75;
}

[data-palette="graphite"] {
  --vivid: 0.08;
}

:root[data-theme="light"] {
  color-scheme: light;
}

:root[data-theme="dark"] {
  color-scheme: dark;
}

/* Touch needs larger targets than a pointer. */
@media (pointer: coarse) {
  :root {
    --control: 2.75rem;
    --control-small: 2.75rem;
  }
}

@media (prefers-reduced-motion: reduce) {
  :root {
    --motion-fast: 0ms;
    --motion: 0ms;
  }
}
`;
