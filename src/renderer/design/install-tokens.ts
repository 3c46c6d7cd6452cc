/** Adds the design tokens to the page before the first render; the server's pages use the same text. */

import { TOKENS_CSS } from '../../common/design/tokens.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(TOKENS_CSS);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
