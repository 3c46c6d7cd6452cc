/** Turns a row into the Content record of the API document. */
import type { Author, Content, LockedCard } from '../../api/content.ts';
import type { ServerDeps } from '../deps.ts';
import type { ContentRow } from './content-store.ts';

const time = (value: number | null): string | null => (value === null ? null : new Date(value).toISOString());

export const tagsOf = (row: ContentRow): string[] => JSON.parse(row.tags) as string[];

export const authorOf = (row: ContentRow): Author => ({
  id: row.accountId,
  username: row.authorUsername,
  name: row.authorName,
});

/** Address of the share page; from accessVersion 2 on it carries `?v=`, which the page ignores. */
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

/** What others may see: a moderator's hold is between the owner and the moderator. */
export const presentToOthers = (deps: Pick<ServerDeps, 'webOrigin'>, row: ContentRow): Content => ({
  ...presentContent(deps, row),
  moderationHold: null,
});

/** A protected item in the eyes of other accounts (API document, "Visibility and protection rules", 3). */
export const presentLocked = (row: ContentRow): LockedCard => ({
  id: row.id,
  type: row.type,
  author: authorOf(row),
  locked: true,
  passwordProtected: row.passwordHash !== null,
});
