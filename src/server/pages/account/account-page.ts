/** The page `/account`: the plan with its trial, storage by kind, and the form for name, bio and other settings. */
import type { Subscription } from '../../../api/account.ts';
import { LIMITS } from '../../../api/limits.ts';
import { planEndOf } from '../../../api/never-expires.ts';
import { PALETTES } from '../../../api/page-palettes.ts';
import type { AccountRow, Profile } from '../../accounts/accounts.ts';
import { type ProfileFault, shownHotkey } from '../../accounts/profile-form.ts';
import type { KindUse } from '../../content/storage-and-view-counters.ts';
import { formatEnd, formatSize } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import type { Language } from '../messages.ts';
import { done, renderAccountPage } from './account-layout.ts';
import { ITEMS_MESSAGES } from './items-messages.ts';
import { ITEM_TYPES, itemsPath } from './items-page.ts';
import { ACCOUNT_MESSAGES } from './messages.ts';

/** The result of the last action, shown once. */
export type AccountNotice =
  | { readonly kind: 'none' | 'profile-saved' }
  | { readonly kind: 'profile-fault'; readonly profile: Profile; readonly faults: readonly ProfileFault[] };

interface AccountPage {
  readonly language: Language;
  readonly nonce: string;
  readonly account: AccountRow;
  readonly quotaBytes: number;
  /** The storage of each kind of items. */
  readonly kinds: readonly KindUse[];
  readonly subscription: Subscription;
  readonly notice: AccountNotice;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const trialPart = ({ language, subscription: { trial } }: AccountPage): Part => {
  const text = ACCOUNT_MESSAGES[language];
  if (trial.notice === 'ending') return done(text.trialEnding(trial.daysLeft ?? 1));
  if (trial.notice === 'ended') return done(text.trialEnded);
  if (trial.state !== 'available') return null;
  return html`<form class="row" method="post" action="/account/trial"><p class="hint">${text.trialText}</p><button class="button primary" type="submit">${text.startTrial(trial.days)}</button></form>`;
};

const kindsTable = (kinds: readonly KindUse[], language: Language): Html => {
  const text = ITEMS_MESSAGES[language];
  const rows = ITEM_TYPES.flatMap((type) => kinds.filter((kind) => kind.type === type)).map(
    ({ type, items, bytes }) =>
      html`<tr><th scope="row"><a href="${itemsPath({ type })}">${text.types[type]}</a></th><td>${text.count(items)}</td><td>${formatSize(bytes, language)}</td></tr>`,
  );
  return html`<table class="plain" aria-labelledby="storage"><tbody>${rows}</tbody></table>`;
};

const planCard = (page: AccountPage): Html => {
  const { language, account, quotaBytes, subscription, kinds, now } = page;
  const text = ACCOUNT_MESSAGES[language];
  const { plan } = subscription;
  const trial = plan?.trial === true ? ` · ${text.trial}` : '';
  const end = plan && planEndOf(plan);
  const until = end && html` <span class="hint">${text.until} ${formatEnd(end.getTime(), now, language)}</span>`;
  return html`<section class="card" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">${text.plan}</h2>
<div class="stack">
<p><strong>${plan === null ? text.free : `${plan.name[language]}${trial}`}</strong>${until}</p>
<div class="field"><div class="row"><span id="storage">${text.storage}</span><span class="hint">${formatSize(account.storageUsed, language)} ${text.of} ${formatSize(quotaBytes, language)}</span></div>
<progress max="${quotaBytes}" value="${Math.min(account.storageUsed, quotaBytes)}" aria-labelledby="storage"></progress>
${kinds.length > 0 && kindsTable(kinds, language)}</div>
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

export const accountPage = (page: AccountPage): string =>
  renderAccountPage({
    language: page.language,
    account: page.account,
    nonce: page.nonce,
    section: 'account',
    body: html`<h1 class="unseen">${ACCOUNT_MESSAGES[page.language].account}</h1>${planCard(page)}${profileCard(page)}`,
  });
