/** The two pages of the browser host that are not the app: on the way in, and for a page that does not belong. */
import { createHash } from 'node:crypto';

const STYLE =
  'body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.375rem}';

const page = (head: string, title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`;

/** These pages run nothing and load nothing. */
export const PLAIN_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

/** Leads on by itself, so that the token leaves the address bar and the history. */
export const ENTER_PAGE = page(
  '<meta http-equiv="refresh" content="0;url=/">\n',
  'Opening Linkshot',
  '<a href="/">Continue</a>',
);

export const STRANGER_PAGE = page(
  '',
  'This address is from an earlier start',
  'Linkshot gives each start its own address. Open the one that was printed when it started last.',
);
