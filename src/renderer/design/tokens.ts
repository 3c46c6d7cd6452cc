/** Lays the design tokens over the page before anything is drawn; they are the same text that the server's pages are given. */

import { TOKENS_CSS } from '../../common/design/tokens.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(TOKENS_CSS);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
