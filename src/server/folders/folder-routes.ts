/**
 * `POST /api/v1/folders`: publishes a folder of code (API document, "POST /folders"). The received ZIP is normalised
 * (`normalise-archive.ts`); the normalised ZIP is scanned for viruses if a scanner is configured (`antivirus.ts`), and
 * only it is kept.
 */

import { API } from '../../api/endpoints/endpoint-table.ts';
import { isServiceErrorCode } from '../../api/errors.ts';
import type { FolderResult } from '../../api/folder-result.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { CreatedFolder } from '../../api/single-request-upload.ts';
import type { ContentRow } from '../content/content-rows.ts';
import { presentContent } from '../content/present-content.ts';
import type { Publisher } from '../content/publish-item.ts';
import { titleFromArchiveName } from '../content/title-and-tags.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { ProblemError } from '../problem-details.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { discardObject, writeObject } from '../storage/write-and-discard-object.ts';
import type { ReceivedFile, SingleRequestReceiver, Watch } from '../uploads/single-request-receiver.ts';
import { createAntivirus } from './antivirus.ts';
import { createArchiveWorker } from './archive-worker.ts';
import type { NormalisedArchive } from './normalise-archive.ts';

const ZIP = 'application/zip';

const WATCH: Watch = {
  admit: (size) => {
    if (size <= LIMITS.folderArchiveBytes) return;
    throw new ProblemError('UPLOAD_TOO_LARGE', 'The archive is over 32 MB; leave out what is not source code.', {
      params: { limitBytes: LIMITS.folderArchiveBytes },
    });
  },
  see: () => {},
};

interface PublishedFolder {
  readonly row: ContentRow;
  readonly folder: FolderResult;
}

export const registerFolderRoute = (
  app: App,
  deps: ServerDeps,
  { intake, publisher }: { readonly intake: SingleRequestReceiver; readonly publisher: Publisher },
): void => {
  const { objects } = deps;
  const maker = createArchiveWorker({
    clock: deps.clock,
    limits: deps.config.folders,
    fairness: deps.config.fairness,
  });
  const antivirus = createAntivirus(deps.config.antivirus.clamdSocket, deps.log);
  const stop = new AbortController();

  const make = async (accountId: AccountId, archiveId: ObjectId): Promise<NormalisedArchive> => {
    const normalised = await objects.withSealedFile(
      archiveId,
      (archive) => maker.make(accountId, archive, stop.signal),
      stop.signal,
    );
    if (normalised.ok) return normalised.value;
    const { code, detail, params, afterMs } = normalised.error;
    if (!isServiceErrorCode(code)) throw new Error(`A folder failed with ${code}: ${detail}`);
    throw new ProblemError(code, detail, {
      ...(params && { params }),
      ...(afterMs !== undefined && { retryAfterMs: afterMs }),
    });
  };

  /** Stores bytes as an object that is permanent unless `use` throws. */
  const keep = async <T>(bytes: Uint8Array, use: (id: ObjectId) => Promise<T>): Promise<T> => {
    const id = await writeObject(deps, bytes);
    try {
      return await use(id);
    } catch (error) {
      await discardObject(deps, id, error);
      throw error;
    }
  };

  const publish = async (file: ReceivedFile): Promise<PublishedFolder> => {
    const { account, filename } = file;
    const title = file.fields.title?.trim() ? file.fields.title : titleFromArchiveName(filename);
    const fields = await publisher.prepare({ ...file.fields, title }, filename);
    const { archive, folder } = await make(account.id, file.objectId);
    await antivirus.check(archive, stop.signal);
    const row = await keep(archive, (objectId) =>
      file.publish((tx) =>
        publisher.publish(tx, account.id, {
          objectId,
          type: 'FOLDER',
          mime: ZIP,
          size: archive.length,
          originalName: filename,
          folderFiles: folder.files,
          fields,
        }),
      ),
    );
    // The received archive is no longer needed.
    await discardObject(deps, file.objectId);
    return { row, folder };
  };

  const route = routeOf(API.createFolder);
  app.route({
    ...route,
    config: { ...route.config, readsOwnBody: true },
    handler: async (request, reply) => {
      const received = await intake.take(request, reply, {
        endpoint: API.createFolder,
        watch: () => {
          maker.expect();
          return WATCH;
        },
        make: publish,
      });
      const content = 'made' in received ? presentContent(deps, received.made.row) : received.replayed;
      const folder = 'made' in received ? received.made.folder : null;
      return reply.code(201).send({ ...content, content, folder } satisfies CreatedFolder);
    },
  });

  app.addHook('onClose', async () => {
    stop.abort(new Error('The server stops.'));
    await maker.close();
  });
};
