/**
 * Publishes an uploaded object as an item: validates the fields, hashes the password, and then counts the bytes against
 * the quota and inserts the row in one transaction. Also calculates when an item expires.
 */

import type { ContentType, PasteFormat, PasteLanguage, ShareFields, Ttl, Visibility } from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import { TTL_MS } from '../../api/limits.ts';
import type { Chapter } from '../../common/video/chapters.ts';
import { type AccountRow, accountStore } from '../accounts/accounts.ts';
import { requireActiveAccount } from '../accounts/authenticate.ts';
import { quotaOf } from '../accounts/plan.ts';
import type { Random } from '../clock-and-random.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import { checkPassword, type Passwords } from '../passwords.ts';
import { bytesGone, ProblemError } from '../problem-details.ts';
import { settleObject } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { type ContentRow, chaptersColumn, contentRows } from './content-rows.ts';
import { storageUse } from './storage-and-view-counters.ts';
import { checkTags, checkTitle, searchTextOf, titleFromName } from './title-and-tags.ts';

/** Fields of an item that have passed every rule outside of the transaction. */
export interface PreparedFields {
  readonly title: string;
  readonly tags: readonly string[];
  /** Null: the account's default when the item is published. */
  readonly visibility: Visibility | null;
  readonly ttl: Ttl;
  readonly passwordHash: string | null;
  readonly oneTime: boolean;
}

/** Metadata of an image or a video; fields as in the Content record. Pixels as displayed, after rotation. */
export interface MediaMetadata {
  readonly width: number;
  readonly height: number;
  /** Null for images. */
  readonly durationMs: number | null;
  readonly videoCodec: string | null;
  readonly hasAudio: boolean;
  /** Of a video that has some. */
  readonly chapters?: readonly Chapter[];
}

/** The format and language of a note. `language` is null for everything but code. */
export interface NoteKind {
  readonly format: PasteFormat;
  readonly language: PasteLanguage | null;
}

interface NewItem {
  readonly objectId: ObjectId;
  readonly type: ContentType;
  readonly mime: string;
  readonly size: number;
  readonly originalName: string;
  /** Of an image or a video. */
  readonly metadata?: MediaMetadata;
  /** The format and language of a note. */
  readonly note?: NoteKind;
  /** Number of files in a folder's archive. */
  readonly folderFiles?: number;
  readonly fields: PreparedFields;
}

export interface Publisher {
  /**
   * Validates the fields and hashes the password, before the transaction. `filename` provides the default title. Throws
   * INVALID_INPUT, ONE_TIME_NOT_PUBLIC, UPLOAD_SERVER_BUSY.
   */
  prepare(fields: ShareFields, filename: string): Promise<PreparedFields>;
  /** Inserts the item in the transaction `tx`. Throws QUOTA_EXCEEDED, ACCOUNT_BANNED, UPLOAD_SERVER_BUSY. */
  publish(tx: Transaction, accountId: AccountId, item: NewItem): Promise<ContentRow>;
}

/** The common meaning of every kind of "until when" (API document, "Visibility and protection rules", 5). */
export const expiryOf = (ttl: Ttl, now: number): number | null => (ttl === 'forever' ? null : now + TTL_MS[ttl]);

/** Of an item that is made without one (API document, "Visibility and protection rules", 2). */
export const defaultVisibility = ({ privateByDefault }: Pick<AccountRow, 'privateByDefault'>): Visibility =>
  privateByDefault === 1 ? 'private' : 'unlisted';

export const oneTimeNotPublic = (): ProblemError =>
  new ProblemError('ONE_TIME_NOT_PUBLIC', 'A one-time link cannot be public; choose private or unlisted.');

const ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 95 bits: an unlisted link cannot be guessed, and a double click selects all of it. */
const ID_CHARACTERS = 16;

const newContentId = (random: Random): ContentId => {
  let id = '';
  while (id.length < ID_CHARACTERS) {
    // Values beyond the last whole multiple of the alphabet would favour some characters.
    const usable = [...random.bytes(ID_CHARACTERS)].filter((byte) => byte < 256 - (256 % ID_ALPHABET.length));
    id += usable.map((byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join('');
  }
  return id.slice(0, ID_CHARACTERS) as ContentId;
};

/** `published` is called after the transaction, to start processing. */
export const createPublisher = (deps: ServerDeps, passwords: Passwords, published: () => void): Publisher => {
  const { config, clock, random } = deps;

  return {
    prepare: async (fields, filename) => {
      const title = checkTitle(fields.title ?? '');
      const tags = checkTags(fields.tags ?? []);
      const visibility = fields.visibility ?? null;
      const oneTime = fields.oneTime ?? false;
      if (oneTime && visibility === 'public') throw oneTimeNotPublic();
      const password = checkPassword(fields.password ?? '');
      return {
        title: title === '' ? checkTitle(titleFromName(filename)) : title,
        tags,
        visibility,
        ttl: fields.ttl ?? 'forever',
        passwordHash: password === null ? null : await passwords.hash(password),
        oneTime,
      };
    },

    publish: async (
      tx,
      accountId,
      { objectId, type, mime, size, originalName, metadata, note, folderFiles, fields },
    ) => {
      const now = clock.now();
      const account = requireActiveAccount(await accountStore(tx).lock(accountId));
      await storageUse(tx).take(account.id, size, quotaOf(config, account, now));
      if (!(await settleObject(tx, objectId))) throw bytesGone();
      tx.afterCommit(published);
      return await contentRows(tx).insert({
        id: newContentId(random),
        accountId: account.id,
        objectId,
        type,
        mime,
        size,
        originalName,
        title: fields.title,
        tags: JSON.stringify(fields.tags),
        searchText: searchTextOf({ ...fields, originalName }),
        pasteFormat: note?.format ?? null,
        pasteLanguage: note?.language ?? null,
        folderFiles: folderFiles ?? null,
        visibility: fields.visibility ?? defaultVisibility(account),
        passwordHash: fields.passwordHash,
        oneTime: fields.oneTime ? 1 : 0,
        mediaStatus: type === 'VIDEO' ? 'PROCESSING' : 'READY',
        width: metadata?.width ?? null,
        height: metadata?.height ?? null,
        durationMs: metadata?.durationMs ?? null,
        videoCodec: metadata?.videoCodec ?? null,
        hasAudio: metadata?.hasAudio ? 1 : 0,
        chapters: chaptersColumn(metadata?.chapters),
        expiresAt: expiryOf(fields.ttl, now),
        createdAt: now,
        previewWanted: type === 'IMAGE' || type === 'VIDEO' ? 1 : 0,
      });
    },
  };
};
