/**
 * Creates shadow roots and their style sheets, which work under a content security policy without inline styles. Design
 * tokens are inherited.
 */

/** The shadow root of an element, created once. */
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
