/** The pages in front of an item, which reveal nothing about it: password, one-time link, view-limited link. */
import type { ContentId } from '../../../api/ids.ts';
import { type Html, html, trusted } from '../html.ts';
import { symbol } from '../icons.ts';
import { noticePage } from '../layout.ts';
import { type Language, MESSAGES } from '../messages.ts';

/** The inputs of a page in front of an item. `nonce` allows its script. */
export interface AccessPage {
  readonly language: Language;
  readonly id: ContentId;
  readonly nonce: string;
}

/** A second click would abort the first response, and with it the only cookie that a link may give. */
const SCRIPT = trusted(`
const button = document.querySelector('form button');
addEventListener('submit', () => { button.disabled = true; });
addEventListener('pageshow', () => { button.disabled = false; });
`);

/** Posts to the page's own address, which sets the cookie and redirects back: no script is needed. */
const openForm = ({ id, nonce }: AccessPage, fields: Html): Html =>
  html`<form method="post" action="/s/${id}/open">${fields}</form>
<script nonce="${nonce}">${SCRIPT}</script>`;

export type LockState = 'first' | 'password-needed' | 'password-wrong';

export const lockPage = (page: AccessPage, state: LockState): string => {
  const { language } = page;
  const text = MESSAGES[language];
  const complaint = state === 'first' ? null : state === 'password-needed' ? text.passwordNeeded : text.passwordWrong;
  return noticePage(language, {
    icon: symbol('lock'),
    title: text.lockedTitle,
    text: text.lockedText,
    action: openForm(
      page,
      html`<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="off" autofocus${complaint !== null && html` aria-invalid="true" aria-describedby="complaint"`}>
${complaint !== null && html`<p class="wrong" id="complaint" role="alert">${complaint}</p>`}</div>
<button class="button primary" type="submit">${text.unlock}</button>`,
    ),
  });
};

export const oneTimePage = (page: AccessPage, minutes: number): string => {
  const { language } = page;
  const { oneTimeTitle: title, oneTimeText, open } = MESSAGES[language];
  const action = openForm(page, html`<button class="button primary" type="submit">${open}</button>`);
  return noticePage(language, { icon: symbol('ticket'), title, text: oneTimeText(minutes), action });
};

export const limitedPage = (page: AccessPage): string => {
  const { language } = page;
  const { limitedTitle: title, limitedText: text, open } = MESSAGES[language];
  const action = openForm(page, html`<button class="button primary" type="submit">${open}</button>`);
  return noticePage(language, { icon: symbol('eye'), title, text, action });
};
