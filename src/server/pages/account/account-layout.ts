/**
 * The layout of the pages of a signed-in account: name and sign-out, navigation, messages of success, and fields with a
 * button to copy. The script adds only the copying and the selection of all items; the pages work without it.
 */
import type { AccountRow } from '../../accounts/accounts.ts';
import { type Html, html, type Part, trusted } from '../html.ts';
import { icon } from '../icons.ts';
import { renderPage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';
import { ACCOUNT_HEAD } from './styles.ts';

type AccountSection = 'items' | 'account' | 'security';

const PATHS: Readonly<Record<AccountSection, string>> = {
  items: '/account/items',
  account: '/account',
  security: '/account/security',
};

/**
 * Two enhancements, without which the pages are still complete: copies the text of a field, and selects all items of a
 * page.
 */
const SCRIPT = trusted(`
for (const button of document.querySelectorAll('button[data-copies]')) {
  const { copies, done, failed } = button.dataset;
  const field = document.getElementById(copies);
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => {
    const label = button.lastElementChild;
    navigator.clipboard.writeText(field.value).then(() => { label.textContent = done; }, () => {
      label.textContent = failed;
      field.select();
    });
  });
}
for (const all of document.querySelectorAll('.all')) {
  const boxes = [...document.querySelectorAll('input[name=id]')];
  const [box] = all.getElementsByTagName('input');
  const update = () => {
    const count = boxes.filter(({ checked }) => checked).length;
    box.checked = count === boxes.length;
    box.indeterminate = count > 0 && !box.checked;
  };
  all.hidden = false;
  box.addEventListener('change', () => {
    for (const other of boxes) other.checked = box.checked;
  });
  for (const other of boxes) other.addEventListener('change', update);
  update();
}
`);

/** The result of the last action. */
export const done = (words: Part): Html => html`<p class="done" role="status">${words}</p>`;

/** A text to copy, in a field that shows it; the button is hidden until the script shows it. */
export const copyField = (id: string, label: string, value: string, language: Language): Html => {
  const text = ACCOUNT_MESSAGES[language];
  return html`<div class="field"><label for="${id}">${label}</label><div class="copied"><input id="${id}" readonly value="${value}" spellcheck="false"><button class="button" type="button" data-copies="${id}" data-done="${MESSAGES[language].copied}" data-failed="${MESSAGES[language].notCopied}" aria-label="${text.copyNamed(label)}" hidden>${icon('copy')}<span aria-live="polite">${text.copy}</span></button></div></div>`;
};

interface AccountFrame {
  readonly language: Language;
  readonly account: Pick<AccountRow, 'name' | 'username' | 'palette'>;
  readonly section: AccountSection;
  /** Allows the page's script. */
  readonly nonce: string;
  /** The section's name by default. */
  readonly title?: string;
  readonly body: Part;
}

export const renderAccountPage = (frame: AccountFrame): string => {
  const { language, account, section, nonce, body } = frame;
  const text = ACCOUNT_MESSAGES[language];
  const links = (Object.keys(PATHS) as AccountSection[]).map(
    (one) => html`<a href="${PATHS[one]}"${one === section && html` aria-current="page"`}>${text.sections[one]}</a>`,
  );
  return renderPage({
    language,
    palette: account.palette,
    title: `${frame.title ?? text.sections[section]} · Linkshot`,
    head: ACCOUNT_HEAD,
    body: html`<main class="stage account">
<header class="person">
<div class="by"><span class="initial" aria-hidden="true">${[...account.name][0]?.toUpperCase()}</span><p><strong>${account.name}</strong><br>@${account.username}</p></div>
<form method="post" action="/sign-out"><button class="button" type="submit">${text.signOut}</button></form>
</header>
<nav class="sections" aria-label="${text.account}">${links}</nav>
${body}</main>
<script nonce="${nonce}">${SCRIPT}</script>`,
  });
};
