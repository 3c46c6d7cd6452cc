/** The design tokens of Linkshot as CSS custom properties, for its share pages and its app alike. Light and dark. */
export const TOKENS_CSS = /* css */ `
:root {
  color-scheme: light dark;
  --accent: oklch(0.52 0.2 265);
  --accent-hover: oklch(0.46 0.2 265);
  --on-accent: oklch(0.99 0 0);
  --focus: oklch(0.62 0.19 265);
  --danger: oklch(0.52 0.19 25);
  --page: oklch(0.975 0.002 265);
  --surface: oklch(1 0 0);
  --sunken: oklch(0.945 0.004 265);
  --border: oklch(0.9 0.005 265);
  --border-strong: oklch(0.64 0.01 265);
  --text: oklch(0.23 0.01 265);
  --text-soft: oklch(0.47 0.012 265);
  --shadow: 0 1px 2px oklch(0.2 0.02 265 / 0.05), 0 8px 28px oklch(0.2 0.02 265 / 0.07);
  --radius: 12px;
  --radius-small: 8px;
  --space-1: 4px;
  --space-2: 8px;
  --space-3: 12px;
  --space-4: 16px;
  --space-5: 24px;
  --space-6: 32px;
  --space-7: 48px;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace;
  --text-small: 0.875rem;
  --text-body: 1rem;
  --text-title: clamp(1.25rem, 1rem + 1vw, 1.625rem);
}
@media (prefers-color-scheme: dark) {
  :root {
    --accent: oklch(0.56 0.19 267);
    --accent-hover: oklch(0.52 0.19 267);
    --on-accent: oklch(0.99 0 0);
    --focus: oklch(0.74 0.14 265);
    --danger: oklch(0.72 0.15 25);
    --page: oklch(0.175 0.006 265);
    --surface: oklch(0.22 0.008 265);
    --sunken: oklch(0.14 0.005 265);
    --border: oklch(0.3 0.01 265);
    --border-strong: oklch(0.52 0.012 265);
    --text: oklch(0.95 0.004 265);
    --text-soft: oklch(0.74 0.01 265);
    --shadow: 0 1px 2px oklch(0 0 0 / 0.3), 0 8px 28px oklch(0 0 0 / 0.28);
  }
}
`;
