/**
 * Style sheets that come with code, under a policy that allows no inline style: in a shadow root they are constructed, not
 * written into the page, and reach nothing beyond it. The design tokens still reach them.
 */

/** The shadow root of an element, made once. */
export const shadowOf = (host: HTMLElement, sheets: readonly CSSStyleSheet[] = []): ShadowRoot => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [...sheets];
  return root;
};

export const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
};
