/**
 * Adds the design tokens, as CSS custom properties, to the page before the first render; the server's pages use the
 * same CSS.
 */

import { TOKENS_CSS } from '../../common/design/tokens.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(TOKENS_CSS);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
