/**
 * Publishes a packed folder in one request (API document, "POST /api/v1/folders"), once over all attempts: the service
 * keeps the idempotency key for at least a day, and after that the account's folders are searched first.
 */

import type { Content, ShareFields } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { FolderResult } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { withServiceResult } from '../../common/folder/folder-preview.ts';
import type { PreparedFile } from '../../ipc/protocol/prepared-file.ts';
import type { QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Session } from '../account/account-session.ts';
import { encodeForm, formFieldsOf } from '../api-client/multipart-form.ts';
import { type FindBeforeResendDeps, findBeforeResend } from '../upload/find-published-file.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';

export interface PostFolderDeps extends FindBeforeResendDeps {
  readonly openSource: OpenSourceAt;
}

export interface FolderPost {
  readonly item: QueueItemIn<'posting'>;
  readonly share: ShareFields;
  /** `unsure`: an earlier request may have published it. */
  readonly before: 'none' | 'unsure';
  /** Bytes sent. */
  readonly onSent: (bytes: number) => void;
}

export interface PostedFolder {
  readonly content: Content;
  /** With the service's own list of excluded files. */
  readonly body: PreparedFile;
}

/** Errors: SOURCE_MISSING where the archive is missing or has changed, and those of the service and the network. */
export const postFolder = async (
  { item, share, before, onSent }: FolderPost,
  session: Session,
  deps: PostFolderDeps,
  signal: AbortSignal,
): Promise<Result<PostedFolder>> => {
  const { client, account } = session;
  const { body } = item;
  if (body?.made.kind !== 'folder') return err(archiveMissing());
  if (before === 'unsure') {
    const found = await findBeforeResend(item, session, deps, 'FOLDER', signal);
    if (!found.ok) return found;
    if (found.value !== null) return ok({ content: found.value, body });
  }
  const source = await deps.openSource(body.path);
  if (!source.ok) return source.error.code === 'SOURCE_MISSING' ? err(archiveMissing()) : source;
  try {
    if (source.value.size !== body.size) return err(archiveMissing());
    const file = { name: body.name, type: 'application/zip', source: source.value };
    const form = encodeForm({ boundary: item.requestKey, fields: formFieldsOf(share), file });
    const headers = { 'idempotency-key': item.requestKey, 'x-service-account': account.user.id };
    const reply = await client.call('createFolder', { headers, form, onSent }, signal);
    if (!reply.ok) return reply.error.code === 'IDEMPOTENCY_CONFLICT' ? err(stillProcessing()) : reply;
    const { content, folder } = reply.value;
    return ok({ content, body: folder ? withResult(body, body.made, folder) : body });
  } finally {
    await source.value.close();
  }
};

/**
 * The bytes and fields of a key never change, so the conflict means that an earlier request, whose reply was lost, is
 * still running.
 */
const stillProcessing = () =>
  failure('INTERNAL', 'The service is still working on an earlier request for this folder; Linkshot will try again.');

const archiveMissing = () =>
  failure('SOURCE_MISSING', 'The packed folder no longer exists. Try again, and it will be packed again.');

const withResult = (
  body: PreparedFile,
  preparedFolder: Extract<PreparedFile['made'], { kind: 'folder' }>,
  folder: FolderResult,
): PreparedFile => ({
  ...body,
  made: {
    ...preparedFolder,
    selection: withServiceResult(preparedFolder.selection, folder, LIMITS.folderSkippedListed),
  },
});
