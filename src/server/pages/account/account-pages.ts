/**
 * The pages behind the sign-in, as HTML that works without scripts: sign-in, account, and the connection of a device.
 */
import { SCOPES, type Subscription } from '../../../api/account.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { AccountRow, Profile } from '../../accounts/accounts.ts';
import { type KeyRow, scopesOf } from '../../accounts/keys.ts';
import { PALETTES, type ProfileFault, shownHotkey } from '../../accounts/profile.ts';
import type { LoggedRequest } from '../../accounts/request-log.ts';
import { APP_NAME, CONNECTION_SCOPES } from '../../connect/connection-request.ts';
import { type Html, html, type Part } from '../html.ts';
import { symbol } from '../icons.ts';
import { noticePage, renderPage } from '../layout.ts';
import { formatDay, formatEnd, formatSize, type Language } from '../messages.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';
import { ACCOUNT_HEAD } from './styles.ts';

export const KEY_LIFETIMES = ['never', '30', '90', '365'] as const;

/** The result of the last action, shown once. */
export type AccountNotice =
  | { readonly kind: 'none' | 'profile-saved' | 'key-revoked' | 'key-fault' }
  | { readonly kind: 'profile-fault'; readonly profile: Profile; readonly faults: readonly ProfileFault[] }
  | { readonly kind: 'key-made'; readonly apiKey: string };

interface AccountPage {
  readonly language: Language;
  readonly account: AccountRow;
  readonly quotaBytes: number;
  readonly subscription: Subscription;
  readonly keys: readonly KeyRow[];
  readonly requests: readonly LoggedRequest[];
  readonly notice: AccountNotice;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const done = (words: Part): Html => html`<p class="done" role="status">${words}</p>`;

const userCard = ({ language, account }: AccountPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  return html`<section class="card person">
<div class="by"><span class="initial" aria-hidden="true">${[...account.name][0]?.toUpperCase()}</span><div><h1>${account.name}</h1>@${account.username}</div></div>
<form method="post" action="/sign-out"><button class="button" type="submit">${text.signOut}</button></form>
</section>`;
};

const trialPart = ({ language, subscription: { trial } }: AccountPage): Part => {
  const text = ACCOUNT_MESSAGES[language];
  if (trial.notice === 'ending') return done(text.trialEnding(trial.daysLeft ?? 1));
  if (trial.notice === 'ended') return done(text.trialEnded);
  if (trial.state !== 'available') return null;
  return html`<form class="row" method="post" action="/account/trial"><p class="hint">${text.trialText}</p><button class="button primary" type="submit">${text.startTrial(trial.days)}</button></form>`;
};

const planCard = (page: AccountPage): Html => {
  const { language, account, quotaBytes, subscription, now } = page;
  const text = ACCOUNT_MESSAGES[language];
  const { plan } = subscription;
  const trial = plan?.trial === true ? ` · ${text.trial}` : '';
  // A plan without an end is stored as one that ends in a hundred years.
  const isEndless = plan !== null && Date.parse(plan.until) - now > 50 * 365 * 86_400_000;
  const until =
    plan === null || isEndless
      ? null
      : html` <span class="hint">${text.until} ${formatEnd(Date.parse(plan.until), now, language)}</span>`;
  return html`<section class="card" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">${text.plan}</h2>
<div class="stack">
<p><strong>${plan === null ? text.free : `${plan.name[language]}${trial}`}</strong>${until}</p>
<div class="field"><div class="row"><span id="storage">${text.storage}</span><span class="hint">${formatSize(account.storageUsed, language)} ${text.of} ${formatSize(quotaBytes, language)}</span></div>
<progress max="${quotaBytes}" value="${Math.min(account.storageUsed, quotaBytes)}" aria-labelledby="storage"></progress></div>
${trialPart(page)}
</div></section>`;
};

const profileCard = ({ language, account, notice }: AccountPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const profile: Profile = notice.kind === 'profile-fault' ? notice.profile : account;
  const words = {
    name: text.nameFault,
    bio: text.bioFault,
    palette: text.choiceFault,
    captureHotkey: text.hotkeyFault,
  };
  const faults = notice.kind === 'profile-fault' ? notice.faults : [];
  const marks = (field: ProfileFault): Part =>
    faults.includes(field) && html` aria-invalid="true" aria-describedby="${field}-fault"`;
  const complaint = (field: ProfileFault): Part =>
    faults.includes(field) && html`<p class="wrong" id="${field}-fault" role="alert">${words[field]}</p>`;
  const tick = (name: 'copyLink' | 'privateByDefault' | 'unlistedPreviews' | 'previewAuthor'): Html =>
    html`<label class="check"><input type="checkbox" name="${name}"${profile[name] === 1 && html` checked`}>${text[name]}</label>`;
  return html`<section class="card" id="profile" aria-labelledby="profile-title"><h2 id="profile-title">${text.profile}</h2>
<form method="post" action="/account/profile">
${notice.kind === 'profile-saved' && done(text.saved)}
<div class="field"><label for="name">${text.name}</label><input id="name" name="name" required maxlength="${LIMITS.nameMaxCharacters}" autocomplete="name" value="${profile.name}"${marks('name')}>${complaint('name')}</div>
<div class="field"><label for="bio">${text.bio}</label><textarea id="bio" name="bio" rows="4"${marks('bio')}>
${profile.bio}</textarea><p class="hint">${text.bioHint}</p>${complaint('bio')}</div>
<div class="pair">
<div class="field"><label for="palette">${text.palette}</label><select id="palette" name="palette"${marks('palette')}>${PALETTES.map((value) => html`<option value="${value}"${value === profile.palette && html` selected`}>${text.palettes[value]}</option>`)}</select>${complaint('palette')}</div>
<div class="field"><label for="captureHotkey">${text.captureHotkey}</label><input id="captureHotkey" name="captureHotkey" required maxlength="${LIMITS.captureHotkeyMaxCharacters}" autocomplete="off" spellcheck="false" value="${shownHotkey(profile.captureHotkey)}"${marks('captureHotkey')}><p class="hint">${text.captureHotkeyHint}</p>${complaint('captureHotkey')}</div>
</div>
<div>${tick('copyLink')}${tick('privateByDefault')}${tick('unlistedPreviews')}${tick('previewAuthor')}</div>
<div class="actions"><button class="button primary" type="submit">${text.save}</button></div>
</form></section>`;
};

const keyItem = (key: KeyRow, { language }: AccountPage): Html => {
  const text = ACCOUNT_MESSAGES[language];
  const end = key.expiresAt === null ? text.neverExpires : `${text.expires} ${formatDay(key.expiresAt, language)}`;
  const facts = [scopesOf(key).join(', '), `${text.made} ${formatDay(key.createdAt, language)}`, end];
  return html`<li><div><h3>${key.name}</h3><p class="hint">${facts.join(' · ')}</p></div>
<form method="post" action="/account/keys/${key.id}/revoke"><button class="button small" type="submit" aria-label="${text.revokeNamed(key.name)}">${text.revoke}</button></form></li>`;
};

const keysCard = (page: AccountPage): Html => {
  const { language, keys, notice } = page;
  const text = ACCOUNT_MESSAGES[language];
  return html`<section class="card" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${text.keys}</h2>
<div class="stack">
${notice.kind === 'key-made' && html`<div class="done" role="status">${text.keyMade}<output class="secret">${notice.apiKey}</output></div>`}
${notice.kind === 'key-revoked' && done(text.keyRevoked)}
${keys.length === 0 ? html`<p class="hint">${text.noKeys}</p>` : html`<ul class="keys" aria-labelledby="keys-title">${keys.map((key) => keyItem(key, page))}</ul>`}
<details${notice.kind === 'key-fault' && html` open`}><summary>${text.newKey}</summary>
<form method="post" action="/account/keys">
${notice.kind === 'key-fault' && html`<p class="wrong" role="alert">${text.keyFault}</p>`}
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

const requestsCard = ({ language, requests }: AccountPage): Html => {
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

export const accountPage = (page: AccountPage): string =>
  renderPage({
    language: page.language,
    palette: page.account.palette,
    title: `${ACCOUNT_MESSAGES[page.language].account} · Linkshot`,
    head: ACCOUNT_HEAD,
    body: html`<main class="stage account">${userCard(page)}${planCard(page)}${profileCard(page)}${keysCard(page)}${requestsCard(page)}</main>`,
  });

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

/** The pages for connecting a device: code entry, approval, and the result (API decisions 4). */
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
