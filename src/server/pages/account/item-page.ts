/**
 * The page `/account/items/{id}` of one own item: its link in every format, its settings and its views. Also returns a
 * version of the item's settings (`settingsVersion`), by which the server detects that a form is outdated.
 */
import { createHash } from 'node:crypto';
import type { Content, Visibility } from '../../../api/content.ts';
import { LIMITS } from '../../../api/limits.ts';
import { isEmbeddable, LINK_MARKUPS, linkMarkup, mediaUrlOf } from '../../../common/link-markup.ts';
import type { AccountRow } from '../../accounts/accounts.ts';
import type { ContentRow } from '../../content/content-rows.ts';
import { formatEnd, formatPeriod } from '../format.ts';
import { type Html, html, type Part } from '../html.ts';
import { icon } from '../icons.ts';
import type { Language } from '../messages.ts';
import { copyField, done, renderAccountPage } from './account-layout.ts';
import { ITEMS_MESSAGES } from './items-messages.ts';
import { accessWords, itemDetails, itemPath, itemsPath, thumbnail } from './items-page.ts';

const VISIBILITIES = ['private', 'unlisted', 'public'] as const satisfies readonly Visibility[];
const TTLS = ['forever', 'day', 'week', 'month'] as const;

export type ItemFault =
  | 'title'
  | 'tags'
  | 'password'
  | 'removePassword'
  | 'oneTime'
  | 'viewLimit'
  | 'expires'
  | 'plan'
  | 'changed'
  | 'other';

/** The fields of the form, as shown or as typed. Never contains a password. */
export interface ItemFields {
  readonly title: string;
  readonly tags: string;
  readonly visibility: Visibility;
  readonly oneTime: boolean;
  readonly allowDownload: boolean;
  readonly removePassword: boolean;
  /** Empty: as it is. */
  readonly ttl: string;
  /** As `datetime-local` in UTC; empty: by `ttl`. */
  readonly expiresAt: string;
  readonly viewLimit: string;
}

/**
 * Identifies the values of all fields that a form sends: a stale form must not undo a change that was made elsewhere.
 * `accessVersion` stands for visibility, password and one-time access.
 */
export const settingsVersion = ({
  title,
  tags,
  accessVersion,
  expiresAt,
  viewLimit,
  allowDownload,
}: ContentRow): string =>
  createHash('sha256')
    .update(JSON.stringify([title, tags, accessVersion, expiresAt, viewLimit, allowDownload]))
    .digest('base64url')
    .slice(0, 22);

interface ItemPage {
  readonly language: Language;
  readonly nonce: string;
  readonly account: AccountRow;
  readonly row: ContentRow;
  readonly content: Content;
  readonly fields: ItemFields;
  readonly fault: ItemFault | null;
  readonly isSaved: boolean;
  /** Null: the plan does not include views by day. */
  readonly recentViews: number | null;
  readonly mayLimitViews: boolean;
  readonly mayChooseEnd: boolean;
  /** How long a one-time item can be seen. */
  readonly oneTimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const aboutCard = ({ language, row, recentViews, now }: ItemPage): Html => {
  const text = ITEMS_MESSAGES[language];
  const facts = itemDetails(row, language);
  return html`<section class="card stack" aria-labelledby="item-title">
<a class="back" href="${itemsPath({})}">${icon('chevron')}${text.allItems}</a>
<div class="entry"><div class="shown"><span class="thumb large">${thumbnail(row)}</span><div class="words"><h1 id="item-title">${row.title}</h1><p class="hint">${facts.join(' · ')}</p>${recentViews !== null && html`<p class="hint">${text.recentViews(recentViews)}</p>`}<ul class="chips">${accessWords(row, now, language).map((word) => html`<li>${word}</li>`)}</ul></div></div></div>
<div class="actions"><a class="button primary" href="/s/${row.id}">${text.openPage}</a><a class="button" href="/api/media/${row.id}?download=1" download>${text.download}</a>
<form class="inline" method="post" action="/account/items/delete"><input type="hidden" name="id" value="${row.id}"><input type="hidden" name="back" value="${itemPath(row)}"><button class="button danger" type="submit">${text.delete}</button></form></div>
</section>`;
};

const linkCard = ({ language, row, content }: ItemPage): Html => {
  const text = ITEMS_MESSAGES[language];
  const title = row.title || row.originalName;
  const direct = isEmbeddable(content) && copyField('link-direct', text.direct, mediaUrlOf(content), language);
  return html`<section class="card stack" aria-labelledby="link-title"><h2 id="link-title">${text.link}</h2>
${copyField('link-plain', text.link, content.url, language)}
<details><summary>${text.formats}</summary><div class="stack">
${LINK_MARKUPS.map((markup) => copyField(`link-${markup}`, text.markups[markup], linkMarkup(content, title, markup), language))}
${direct}</div></details>
</section>`;
};

const FIELD_FAULTS = [
  'title',
  'tags',
  'password',
  'removePassword',
  'oneTime',
  'viewLimit',
  'expires',
] as const satisfies readonly ItemFault[];

const settingsCard = (page: ItemPage): Html => {
  const { language, row, fields, fault, isSaved, mayLimitViews, mayChooseEnd, oneTimeSeconds, now } = page;
  const text = ITEMS_MESSAGES[language];
  const words = {
    title: text.titleFault,
    tags: text.tagsFault,
    password: text.passwordFault,
    removePassword: text.removePasswordFault,
    oneTime: text.oneTimeFault,
    viewLimit: text.viewLimitFault,
    expires: text.expiresFault,
    plan: text.planFault,
    changed: text.changedFault,
    other: text.otherFault,
  } satisfies Record<ItemFault, string>;
  const isOfField = FIELD_FAULTS.some((known) => known === fault);
  const marks = (field: ItemFault): Part =>
    fault === field && html` aria-invalid="true" aria-describedby="${field}-fault"`;
  const complaint = (field: ItemFault): Part =>
    fault === field && html`<p class="wrong" id="${field}-fault" role="alert">${words[field]}</p>`;
  const check = (name: string, label: Part, isOn: boolean, more: Part = null): Html =>
    html`<label class="check"><input type="checkbox" name="${name}"${isOn && html` checked`}${more}><span>${label}</span></label>`;
  const protectedNow = row.passwordHash !== null;
  const option = (value: string, label: string): Html =>
    html`<option value="${value}"${value === fields.ttl && html` selected`}>${label}</option>`;
  return html`<section class="card" id="settings" aria-labelledby="settings-title"><h2 id="settings-title">${text.settings}</h2>
<form method="post" action="${itemPath(row)}">
<input type="hidden" name="version" value="${settingsVersion(row)}">
${isSaved && done(text.saved)}
${fault !== null && !isOfField && html`<p class="wrong" role="alert">${words[fault]}</p>`}
<div class="field"><label for="title">${text.title}</label><input id="title" name="title" maxlength="${2 * LIMITS.titleMaxCharacters}" autocomplete="off" value="${fields.title}"${marks('title')}>${complaint('title')}</div>
<div class="field"><label for="tags">${text.tags}</label><input id="tags" name="tags" autocomplete="off" value="${fields.tags}"${marks('tags')}><p class="hint">${text.tagsHint}</p>${complaint('tags')}</div>
<fieldset class="choices"><legend>${text.visibilityLabel}</legend>${VISIBILITIES.map((visibility) => html`<label class="check"><input type="radio" name="visibility" value="${visibility}"${visibility === fields.visibility && html` checked`}><span>${text.visibility[visibility]}<br><span class="hint">${text.visibilityTexts[visibility]}</span></span></label>`)}</fieldset>
<div class="choices">${check('oneTime', html`${text.oneTimeLabel}<br><span class="hint">${text.oneTimeHint(formatPeriod(oneTimeSeconds, language))}</span>`, fields.oneTime, marks('oneTime'))}${complaint('oneTime')}
${check('allowDownload', text.allowDownload, fields.allowDownload)}</div>
<div class="pair">
<div class="field"><label for="password">${text.passwordLabel}</label><input id="password" name="password" type="password" maxlength="${2 * LIMITS.passwordMaxCharacters}" autocomplete="new-password"${marks('password')}><p class="hint">${protectedNow ? text.passwordKept : text.passwordNew}</p>${complaint('password')}
${protectedNow && check('removePassword', text.removePassword, fields.removePassword, marks('removePassword'))}${complaint('removePassword')}</div>
<div class="field"><label for="ttl">${text.expires}</label><select id="ttl" name="ttl">${row.expiresAt !== null && option('', text.keepEnd(formatEnd(row.expiresAt, now, language)))}${TTLS.map((ttl) => option(ttl, text.ttl[ttl]))}</select>
${mayChooseEnd && html`<label for="expiresAt">${text.expiresAt}</label><input id="expiresAt" name="expiresAt" type="datetime-local" value="${fields.expiresAt}"${marks('expires')}>`}${complaint('expires')}</div>
</div>
${mayLimitViews && html`<div class="field"><label for="viewLimit">${text.viewLimit}</label><input id="viewLimit" name="viewLimit" inputmode="numeric" autocomplete="off" value="${fields.viewLimit}"${marks('viewLimit')}><p class="hint">${text.viewLimitHint}</p>${complaint('viewLimit')}</div>`}
<div class="actions"><button class="button primary" type="submit">${text.save}</button></div>
</form></section>`;
};

export const itemPage = (page: ItemPage): string =>
  renderAccountPage({
    language: page.language,
    account: page.account,
    nonce: page.nonce,
    title: page.row.title,
    section: 'items',
    body: html`${aboutCard(page)}${linkCard(page)}${settingsCard(page)}`,
  });
