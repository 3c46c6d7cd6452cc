/**
 * Changes an item of the requester (API decisions 3, `PATCH /content/{id}`). Omitted fields keep their values, and a
 * field that repeats its value needs no feature of the plan. A change of visibility, password or one-time access ends
 * the access of browsers that have opened the item.
 */
import type { Feature } from '../../api/account.ts';
import type { UpdateContent } from '../../api/content.ts';
import { LAST_INSTANT } from '../../api/limits.ts';
import { accountStore } from '../accounts/accounts.ts';
import { requireActiveAccount } from '../accounts/authenticate.ts';
import { featuresOf, planFeatureRequired } from '../accounts/plan.ts';
import { type ContentRow, contentRows, type LockedContent } from '../content/content-rows.ts';
import { tagsOf } from '../content/present-content.ts';
import { expiryOf, oneTimeNotPublic } from '../content/publish-item.ts';
import { checkTags, checkTitle, searchTextOf, titleFromName } from '../content/title-and-tags.ts';
import type { ServerDeps } from '../deps.ts';
import { createNoteEditor, type NoteEdit } from '../notes/edit-note.ts';
import { checkPassword, type Passwords } from '../passwords.ts';
import { invalidInput } from '../problem-details.ts';
import { grantStore } from '../sharing/browser-grants.ts';
import { createPasswordCheck } from '../sharing/password-check.ts';

/** The effect of a request on the password; `keep` also if it repeats the current password. */
type PasswordChange = { readonly kind: 'keep' } | { readonly kind: 'set'; readonly hash: string | null };

/** Results of slow checks, made before the transaction. */
interface Changes {
  readonly password: PasswordChange;
  readonly note: NoteEdit;
}

/** Asked once the update is prepared, which takes long when a password is hashed or a text is stored. */
interface Conditions {
  /** Whether the requester may still change the item; asked before the transaction. May reject with a refusal. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Whether the update was made for this state of the item; asked in the transaction that saves it. */
  readonly isCurrent?: (row: ContentRow) => boolean;
}

export const createUpdater = (deps: ServerDeps, passwords: Passwords) => {
  const { clock, config, records } = deps;
  const passwordCheck = createPasswordCheck(deps, passwords);
  const notes = createNoteEditor(deps);

  const readPassword = async (row: ContentRow, password: string | undefined): Promise<PasswordChange> => {
    if (password === undefined) return { kind: 'keep' };
    const wanted = checkPassword(password);
    if (wanted === null) return { kind: 'set', hash: null };
    if (row.passwordHash !== null && (await passwords.verify(row.passwordHash, wanted))) return { kind: 'keep' };
    return { kind: 'set', hash: await passwords.hash(wanted) };
  };

  const described = (row: LockedContent, { title, tags }: UpdateContent): LockedContent => {
    const wanted = title === undefined ? row.title : checkTitle(title);
    const next = {
      title: wanted === '' ? checkTitle(titleFromName(row.originalName)) : wanted,
      tags: tags === undefined ? tagsOf(row) : checkTags(tags),
    };
    const searchText = searchTextOf({ ...next, originalName: row.originalName });
    return { ...row, title: next.title, tags: JSON.stringify(next.tags), searchText };
  };

  const timed = (
    row: LockedContent,
    { ttl, expiresAt }: UpdateContent,
    features: readonly Feature[],
  ): LockedContent => {
    const now = clock.now();
    if (ttl !== undefined && expiresAt !== undefined)
      throw invalidInput({ path: '/expiresAt', message: 'cannot be given together with ttl' });
    if (ttl !== undefined) return { ...row, expiresAt: expiryOf(ttl, now) };
    if (expiresAt === undefined) return row;
    const end = expiresAt === null ? null : Date.parse(expiresAt);
    if (end === row.expiresAt) return row;
    if (!features.includes('link_expiry')) throw planFeatureRequired('link_expiry');
    if (end !== null && !(end > now && end <= LAST_INSTANT))
      throw invalidInput({ path: '/expiresAt', message: 'must be a time in the future, and before the year 10000' });
    return { ...row, expiresAt: end };
  };

  const limited = (row: LockedContent, { viewLimit }: UpdateContent, features: readonly Feature[]): LockedContent => {
    if (viewLimit === undefined || viewLimit === row.viewLimit) return row;
    if (!features.includes('view_limit')) throw planFeatureRequired('view_limit');
    const reached = viewLimit !== null && row.views >= viewLimit;
    return { ...row, viewLimit, viewLimitReachedAt: reached ? (row.viewLimitReachedAt ?? clock.now()) : null };
  };

  /**
   * Every change of visibility, password or one-time increments the access version and revokes the grants of viewers.
   */
  const guarded = (row: LockedContent, update: UpdateContent, password: PasswordChange): LockedContent => {
    const next = {
      ...row,
      visibility: update.visibility ?? row.visibility,
      oneTime: update.oneTime === undefined ? row.oneTime : update.oneTime ? (1 as const) : (0 as const),
      passwordHash: password.kind === 'keep' ? row.passwordHash : password.hash,
    };
    if (next.oneTime === 1 && next.visibility === 'public') throw oneTimeNotPublic();
    const rearmed = next.oneTime !== row.oneTime;
    const changed = rearmed || next.visibility !== row.visibility || next.passwordHash !== row.passwordHash;
    if (!changed) return row;
    return {
      ...next,
      accessVersion: row.accessVersion + 1,
      ...(rearmed && { consumedAt: null, readExpiresAt: null }),
    };
  };

  const apply = (
    before: ContentRow,
    update: UpdateContent,
    changes: Changes,
    isCurrent: (row: ContentRow) => boolean,
  ): Promise<ContentRow | null> =>
    records.transaction(async (tx) => {
      const store = contentRows(tx);
      const row = await store.lock(before.id);
      const now = clock.now();
      if (row === undefined || hasMoved(before, row, now) || !isCurrent(row)) return null;
      const account = requireActiveAccount(await accountStore(tx).byId(row.accountId));
      const features = featuresOf(config, account, now);
      const open = update.allowDownload ?? row.allowDownload === 1;
      let next: LockedContent = { ...(await notes.apply(tx, row, changes.note, account)), allowDownload: open ? 1 : 0 };
      next = limited(timed(described(next, update), update, features), update, features);
      next = guarded(next, update, changes.password);
      if (next.accessVersion !== row.accessVersion) await grantStore(tx).removeAll(row.id);
      if (next.passwordHash !== row.passwordHash) await passwordCheck.startAfresh(tx, row.id);
      return await store.save(next);
    });

  /**
   * Returns the changed row, or null when it is no longer allowed or current, the item changed meanwhile or is deleted.
   * Throws what `isStillAllowed` throws, INVALID_INPUT, ACCOUNT_BANNED, ONE_TIME_NOT_PUBLIC, PLAN_FEATURE_REQUIRED,
   * PASTE_REVISION_CONFLICT, QUOTA_EXCEEDED, UPLOAD_SERVER_BUSY.
   */
  return async (
    row: ContentRow,
    update: UpdateContent,
    { isStillAllowed, isCurrent = () => true }: Conditions,
  ): Promise<ContentRow | null> => {
    const password = await readPassword(row, update.password);
    const note = await notes.prepare(row, update);
    let changed: ContentRow | null = null;
    try {
      if (await isStillAllowed()) changed = await apply(row, update, { password, note }, isCurrent);
    } catch (error) {
      await notes.discard(note, error);
      throw error;
    }
    if (changed === null) await notes.discard(note);
    return changed;
  };
};

/** The checks before the transaction are outdated: another password, or it has expired. Read again. */
const hasMoved = (before: ContentRow, row: ContentRow, now: number): boolean =>
  row.passwordHash !== before.passwordHash || (row.expiresAt !== null && row.expiresAt <= now);
