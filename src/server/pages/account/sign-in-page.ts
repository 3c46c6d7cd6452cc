/** The page that asks for a name and a password. */

import { html } from '../html.ts';
import { symbol } from '../icons.ts';
import { noticePage } from '../layout.ts';
import type { Language } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';
import { ACCOUNT_HEAD } from './styles.ts';

export interface SignInState {
  /** The redirect after the sign-in; a path of this server. */
  readonly next: string;
  readonly username: string;
  readonly state: 'first' | 'wrong';
}

export const signInPage = (language: Language, { next, username, state }: SignInState): string => {
  const text = ACCOUNT_MESSAGES[language];
  const marks = state === 'wrong' && html` aria-invalid="true" aria-describedby="complaint"`;
  return noticePage(language, {
    icon: symbol('user'),
    title: text.signInTitle,
    text: text.signInText,
    head: ACCOUNT_HEAD,
    action: html`<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="username">${text.username}</label><input id="username" name="username" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false" value="${username}"${marks}${username === '' && html` autofocus`}></div>
<div class="field"><label for="password">${text.password}</label><input id="password" name="password" type="password" required maxlength="512" autocomplete="current-password"${marks}${username !== '' && html` autofocus`}></div>
${state === 'wrong' && html`<p class="wrong" id="complaint" role="alert">${text.signInWrong}</p>`}
<button class="button primary" type="submit">${text.signIn}</button>
</form>`,
  });
};
