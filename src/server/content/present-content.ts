/**
 * Builds what the API shows of an item: the Content record for its owner and for others, and the reduced record of a
 * locked item (API document, "Content"). Also returns the address of an item's share page, its author and its tags.
 */
import type { Author, Content, LockedCard } from '../../api/content.ts';
import type { ServerDeps } from '../deps.ts';
import type { ContentRow } from './content-rows.ts';

const time = (value: number | null): string | null => (value === null ? null : new Date(value).toISOString());

export const tagsOf = (row: ContentRow): string[] => JSON.parse(row.tags) as string[];

export const authorOf = (row: ContentRow): Author => ({
  id: row.accountId,
  username: row.authorUsername,
  name: row.authorName,
});

/** Address of the share page; from accessVersion 2 on it contains `?v=`, which the page ignores. */
export const shareUrl = (deps: Pick<ServerDeps, 'webOrigin'>, { id, accessVersion }: ContentRow): string =>
  `${deps.webOrigin()}/s/${id}${accessVersion > 1 ? `?v=${accessVersion}` : ''}`;

/** All fields that apply, as the owner sees them. */
export const presentContent = (deps: Pick<ServerDeps, 'webOrigin'>, row: ContentRow): Content => ({
  id: row.id,
  title: row.title,
  tags: tagsOf(row),
  originalName: row.originalName,
  type: row.type,
  mime: row.mime,
  pasteFormat: row.pasteFormat,
  pasteLanguage: row.pasteLanguage,
  folderFiles: row.folderFiles,
  revision: row.revision,
  accessVersion: row.accessVersion,
  size: row.size,
  visibility: row.visibility,
  allowDownload: row.allowDownload === 1,
  passwordProtected: row.passwordHash !== null,
  oneTime: row.oneTime === 1,
  consumedAt: time(row.consumedAt),
  readExpiresAt: time(row.readExpiresAt),
  readMaxExpiresAt: time(row.readExpiresAt),
  hasVideoText: false,
  videoTextRevision: 0,
  views: row.views,
  viewLimit: row.viewLimit,
  viewLimitReachedAt: time(row.viewLimitReachedAt),
  mediaStatus: row.mediaStatus,
  mediaError: row.mediaError,
  width: row.width,
  height: row.height,
  durationMs: row.durationMs,
  videoCodec: row.videoCodec,
  hasAudio: row.hasAudio === 1,
  previewUrl: row.previewId === null ? null : `/api/media/${row.id}/preview`,
  expiresAt: time(row.expiresAt),
  createdAt: new Date(row.createdAt).toISOString(),
  url: shareUrl(deps, row),
  mediaUrl: `/api/media/${row.id}`,
  moderationHold: row.moderationHold,
  author: authorOf(row),
});

/** The view of others: a moderator's hold is visible to the owner and the moderator only. */
export const presentToOthers = (deps: Pick<ServerDeps, 'webOrigin'>, row: ContentRow): Content => ({
  ...presentContent(deps, row),
  moderationHold: null,
});

/** The view of other accounts on a protected item (API document, "Visibility and protection rules", 3). */
export const presentLocked = (row: ContentRow): LockedCard => ({
  id: row.id,
  type: row.type,
  author: authorOf(row),
  locked: true,
  passwordProtected: row.passwordHash !== null,
});
