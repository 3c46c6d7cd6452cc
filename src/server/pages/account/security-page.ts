/**
 * The page `/account/security`: password, sessions, connected devices, API keys, and the log of requests with the keys.
 */
import { SCOPES } from '../../../api/account.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { AccountRow } from '../../accounts/accounts.ts';
import { type KeyRow, scopesOf } from '../../accounts/api-keys.ts';
import type { LoggedRequest } from '../../accounts/request-log.ts';
import type { ListedSession } from '../../accounts/sessions.ts';
import { formatDay } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import type { Language } from '../messages.ts';
import { done, renderAccountPage } from './account-layout.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';

export const KEY_LIFETIMES = ['never', '30', '90', '365'] as const;

/** Actions whose result the page shows once, named in its address. */
export const SECURITY_RESULTS = [
  'password-changed',
  'session-ended',
  'sessions-ended',
  'device-disconnected',
  'devices-disconnected',
  'key-revoked',
] as const;

/** The result of the last action, shown once. */
export type SecurityNotice =
  | { readonly kind: 'none' | 'key-fault' | 'too-many-keys' | (typeof SECURITY_RESULTS)[number] }
  | { readonly kind: 'password-fault'; readonly fault: 'current' | 'wanted' | 'repeated' }
  | { readonly kind: 'key-made'; readonly apiKey: string };

interface SecurityPage {
  readonly language: Language;
  readonly nonce: string;
  readonly account: AccountRow;
  readonly sessions: readonly ListedSession[];
  /** The session of this browser. */
  readonly currentSession: string;
  /** Valid keys of connected devices. */
  readonly devices: readonly KeyRow[];
  /** Valid keys that were made by hand. */
  readonly keys: readonly KeyRow[];
  readonly requests: readonly LoggedRequest[];
  readonly notice: SecurityNotice;
}

const passwordCard = ({ language, account, notice }: SecurityPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const fault = notice.kind === 'password-fault' ? notice.fault : null;
  const words = { current: text.currentFault, wanted: text.lengthFault, repeated: text.repeatedFault };
  const field = (
    name: 'current' | 'wanted' | 'repeated',
    label: string,
    autocomplete: 'current-password' | 'new-password',
    hint: Part = null,
  ): Html =>
    html`<div class="field"><label for="${name}-password">${label}</label><input id="${name}-password" name="${name}" type="password" required maxlength="512" autocomplete="${autocomplete}"${fault === name && html` aria-invalid="true" aria-describedby="${name}-fault"`}>${hint}${fault === name && html`<p class="wrong" id="${name}-fault" role="alert">${words[name]}</p>`}</div>`;
  return html`<section class="card" id="password" aria-labelledby="password-title"><h2 id="password-title">${text.changePassword}</h2>
<form method="post" action="/account/password">
${notice.kind === 'password-changed' && done(text.passwordChanged)}
<input type="text" name="username" autocomplete="username" value="${account.username}" readonly hidden>
${field('current', text.currentPassword, 'current-password')}
<div class="pair">${field('wanted', text.newPassword, 'new-password', html`<p class="hint">${text.lengthFault}</p>`)}${field('repeated', text.repeatPassword, 'new-password')}</div>
<p class="hint">${text.passwordEffect}</p>
<div class="actions"><button class="button primary" type="submit">${text.changePassword}</button></div>
</form></section>`;
};

const sessionItem = (session: ListedSession, { language, currentSession }: SecurityPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const name = session.browser ?? text.unknownBrowser;
  const isCurrent = session.id === currentSession;
  const used = session.usedAt !== null && `${text.used} ${formatDay(session.usedAt, language)}`;
  const facts = [session.ip, `${text.signedIn} ${formatDay(session.createdAt, language)}`, used];
  return html`<li><div><h3>${name}${isCurrent && html` <span class="mark">${text.thisBrowser}</span>`}</h3><p class="hint">${facts.filter((fact) => fact !== null && fact !== false).join(' · ')}</p></div>
${!isCurrent && html`<form method="post" action="/account/sessions/${session.id}/end"><button class="button small" type="submit" aria-label="${text.signOutNamed(name)}">${text.signOut}</button></form>`}</li>`;
};

const sessionsCard = (page: SecurityPage): Html => {
  const { language, sessions, notice } = page;
  const text = ACCOUNT_MESSAGES[language];
  return html`<section class="card" id="sessions" aria-labelledby="sessions-title"><h2 id="sessions-title">${text.sessions}</h2>
<div class="stack">
${notice.kind === 'session-ended' && done(text.sessionEnded)}${notice.kind === 'sessions-ended' && done(text.sessionsEnded)}
<ul class="keys" aria-labelledby="sessions-title">${sessions.map((session) => sessionItem(session, page))}</ul>
${sessions.length > 1 && html`<form method="post" action="/account/sessions/end-others"><div class="actions"><button class="button" type="submit">${text.signOutOthers}</button></div></form>`}
</div></section>`;
};

const keyDetails = (key: KeyRow, language: Language): string => {
  const text = ACCOUNT_MESSAGES[language];
  const end = key.expiresAt === null ? text.neverExpires : `${text.expires} ${formatDay(key.expiresAt, language)}`;
  return [`${text.made} ${formatDay(key.createdAt, language)}`, end].join(' · ');
};

const deviceItem = (key: KeyRow, { language }: SecurityPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const name = key.deviceName ?? key.name;
  return html`<li><div><h3>${name}</h3><p class="hint">${text.connected} ${formatDay(key.createdAt, language)}</p></div>
<form method="post" action="/account/devices/${key.id}/disconnect"><button class="button small" type="submit" aria-label="${text.disconnectNamed(name)}">${text.disconnect}</button></form></li>`;
};

const devicesCard = (page: SecurityPage): Html => {
  const { language, notice, devices } = page;
  const text = ACCOUNT_MESSAGES[language];
  return html`<section class="card" id="devices" aria-labelledby="devices-title"><h2 id="devices-title">${text.devices}</h2>
<div class="stack">
${notice.kind === 'device-disconnected' && done(text.deviceDisconnected)}${notice.kind === 'devices-disconnected' && done(text.devicesDisconnected)}
${devices.length === 0 ? html`<p class="hint">${text.noDevices}</p>` : html`<ul class="keys" aria-labelledby="devices-title">${devices.map((key) => deviceItem(key, page))}</ul>`}
${devices.length > 1 && html`<form method="post" action="/account/devices/disconnect-all"><div class="actions"><button class="button" type="submit">${text.disconnectAll}</button></div></form>`}
</div></section>`;
};

const keyItem = (key: KeyRow, { language }: SecurityPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  return html`<li><div><h3>${key.name}</h3><p class="hint">${scopesOf(key).join(', ')} · ${keyDetails(key, language)}</p></div>
<form method="post" action="/account/keys/${key.id}/revoke"><button class="button small" type="submit" aria-label="${text.revokeNamed(key.name)}">${text.revoke}</button></form></li>`;
};

const keysCard = (page: SecurityPage): Html => {
  const { language, notice, keys } = page;
  const text = ACCOUNT_MESSAGES[language];
  const fault = notice.kind === 'key-fault' ? text.keyFault : notice.kind === 'too-many-keys' && text.tooManyKeys;
  return html`<section class="card" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${text.keys}</h2>
<div class="stack">
${notice.kind === 'key-made' && html`<div class="done" role="status">${text.keyMade}<output class="secret">${notice.apiKey}</output></div>`}
${notice.kind === 'key-revoked' && done(text.keyRevoked)}
${keys.length === 0 ? html`<p class="hint">${text.noKeys}</p>` : html`<ul class="keys" aria-labelledby="keys-title">${keys.map((key) => keyItem(key, page))}</ul>`}
<details${fault !== false && html` open`}><summary>${text.newKey}</summary>
<form method="post" action="/account/keys">
${fault !== false && html`<p class="wrong" role="alert">${fault}</p>`}
<div class="pair">
<div class="field"><label for="keyName">${text.keyName}</label><input id="keyName" name="keyName" required maxlength="${LIMITS.keyNameMaxCharacters}" autocomplete="off"></div>
<div class="field"><label for="lifetime">${text.lifetime}</label><select id="lifetime" name="lifetime">${KEY_LIFETIMES.map((value) => html`<option value="${value}">${text.lifetimes[value]}</option>`)}</select></div>
</div>
<fieldset><legend>${text.scopes}</legend>${SCOPES.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value="${scope}">${text.scopeWords[scope]}</label>`)}</fieldset>
<div class="actions"><button class="button primary" type="submit">${text.createKey}</button></div>
</form></details>
</div></section>`;
};

const timeFormat = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });

const requestsCard = ({ language, requests }: SecurityPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const format = timeFormat(language);
  const rows = requests.map(
    ({ method, path, status, keyName, time }) =>
      html`<tr><td><time datetime="${new Date(time).toISOString()}">${format.format(time)}</time></td><td><code>${method} ${path}</code></td><td>${status}</td><td>${keyName}</td></tr>`,
  );
  const table = html`<div class="scroll" role="group" tabindex="0" aria-labelledby="requests-title"><table><thead><tr><th scope="col">${text.time}</th><th scope="col">${text.request}</th><th scope="col">${text.status}</th><th scope="col">${text.key}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return html`<section class="card" id="requests" aria-labelledby="requests-title"><h2 id="requests-title">${text.requests}</h2>
<div class="stack"><p class="hint">${requests.length === 0 ? text.noRequests : text.requestsText}</p>${requests.length > 0 && table}</div></section>`;
};

export const securityPage = (page: SecurityPage): string =>
  renderAccountPage({
    language: page.language,
    account: page.account,
    nonce: page.nonce,
    section: 'security',
    body: html`<h1 class="unseen">${ACCOUNT_MESSAGES[page.language].sections.security}</h1>${passwordCard(page)}${sessionsCard(page)}${devicesCard(page)}${keysCard(page)}${requestsCard(page)}`,
  });
