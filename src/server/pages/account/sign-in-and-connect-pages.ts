/** The HTML of the sign-in page and of the pages that connect a device, which work without scripts. */

import { APP_NAME } from '../../device-auth/device-details.ts';
import { CONNECTION_SCOPES } from '../../device-auth/loopback-authorization-request.ts';
import { type Html, html } from '../html.ts';
import { symbol } from '../icons.ts';
import { noticePage } from '../layout.ts';
import type { Language } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';
import { ACCOUNT_HEAD } from './styles.ts';

interface SignInState {
  /** The redirect after the sign-in; a path of this server. */
  readonly next: string;
  readonly username: string;
  readonly state: 'first' | 'wrong';
}

/** The page that asks for a name and a password. */
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

interface Approval {
  readonly deviceName: string;
  /** The address that sent the request. */
  readonly ip: string;
  readonly username: string;
  /** The target of the form, and its hidden fields. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const hidden = (fields: Approval['fields']): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Asks whether a device may be connected (API decisions 4). */
export const approvalPage = (language: Language, { deviceName, ip, username, action, fields }: Approval): string => {
  const text = ACCOUNT_MESSAGES[language];
  return noticePage(language, {
    icon: symbol('link'),
    title: text.connectTitle(APP_NAME),
    text: text.connectText,
    head: ACCOUNT_HEAD,
    action: html`<dl class="asks">
<dt>${text.app}</dt><dd>${APP_NAME}</dd>
<dt>${text.device}</dt><dd>${deviceName}</dd>
<dt>${text.address}</dt><dd>${ip}</dd>
<dt>${text.as}</dt><dd>@${username}</dd>
</dl>
<div class="may"><strong id="may">${text.willBeAble}</strong><ul aria-labelledby="may">${CONNECTION_SCOPES.map((scope) => html`<li>${text.scopeWords[scope]}</li>`)}</ul></div>
<form method="post" action="${action}">${hidden(fields)}
<div class="choice"><button class="button" name="decision" value="deny" type="submit">${text.deny}</button><button class="button primary" name="decision" value="approve" type="submit">${text.approve}</button></div>
</form>`,
  });
};

export const codePage = (language: Language, code: string, state: 'first' | 'wrong'): string => {
  const text = ACCOUNT_MESSAGES[language];
  return noticePage(language, {
    icon: symbol('link'),
    title: text.codeTitle,
    text: text.codeText,
    head: ACCOUNT_HEAD,
    action: html`<form method="post" action="/connect/device">
<div class="field"><label for="code">${text.code}</label><input class="typed" id="code" name="code" required maxlength="32" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" value="${code}" autofocus${state === 'wrong' && html` aria-invalid="true" aria-describedby="complaint"`}></div>
${state === 'wrong' && html`<p class="wrong" id="complaint" role="alert">${text.codeWrong}</p>`}
<button class="button primary" type="submit">${text.continue}</button>
</form>`,
  });
};

export const connectNotice = (
  language: Language,
  outcome: 'connected' | 'refused' | 'codesOver' | 'invalid',
): string => {
  const text = ACCOUNT_MESSAGES[language];
  const words = {
    connected: { icon: symbol('done'), title: text.connectedTitle, text: text.connectedText },
    refused: { icon: symbol('unlink'), title: text.refusedTitle, text: text.refusedText },
    codesOver: { icon: symbol('warning'), tone: 'warn', title: text.codesOver, text: text.codesOverText },
    invalid: { icon: symbol('warning'), tone: 'warn', title: text.invalidTitle, text: text.invalidText },
  } as const;
  const action =
    outcome === 'codesOver' && html`<a class="button primary" href="/sign-in?next=/connect/device">${text.signIn}</a>`;
  return noticePage(language, { ...words[outcome], ...(action !== false && { action }) });
};
