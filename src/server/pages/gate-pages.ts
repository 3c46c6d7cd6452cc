/** The pages that stand before an item and tell nothing of it: the password, the one-time link, the limited link. */
import type { ContentId } from '../../contract/ids.ts';
import { type Html, html } from './html.ts';
import { symbol } from './icons.ts';
import { noticePage } from './layout.ts';
import { type Language, MESSAGES } from './messages.ts';

/** Posts to the page's own address, which sets the cookie and leads back: no script is needed. */
const openForm = (id: ContentId, fields: Html): Html =>
  html`<form method="post" action="/s/${id}/open">${fields}</form>`;

export const lockPage = (
  language: Language,
  id: ContentId,
  state: 'first' | 'password-needed' | 'password-wrong',
): string => {
  const text = MESSAGES[language];
  const complaint = state === 'first' ? null : state === 'password-needed' ? text.passwordNeeded : text.passwordWrong;
  return noticePage(language, {
    icon: symbol('lock'),
    title: text.lockedTitle,
    text: text.lockedText,
    action: openForm(
      id,
      html`<div class="field"><label for="password">${text.password}</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="off" autofocus${complaint !== null && html` aria-invalid="true" aria-describedby="complaint"`}>
${complaint !== null && html`<p class="wrong" id="complaint" role="alert">${complaint}</p>`}</div>
<button class="button primary" type="submit">${text.unlock}</button>`,
    ),
  });
};

export const oneTimePage = (language: Language, id: ContentId, minutes: number): string => {
  const { oneTimeTitle: title, oneTimeText, open } = MESSAGES[language];
  const action = openForm(id, html`<button class="button primary" type="submit">${open}</button>`);
  return noticePage(language, { icon: symbol('ticket'), title, text: oneTimeText(minutes), action });
};

export const limitedPage = (language: Language, id: ContentId): string => {
  const { limitedTitle: title, limitedText: text, open } = MESSAGES[language];
  const action = openForm(id, html`<button class="button primary" type="submit">${open}</button>`);
  return noticePage(language, { icon: symbol('eye'), title, text, action });
};
