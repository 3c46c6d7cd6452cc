/**
 * Opens the configured store of objects: files in the data folder, or an S3 store, whose access it checks. Refuses a
 * data folder whose objects are in the other kind of store.
 */
import { makePrivateFolder } from '../../base/node/private-folder.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { DataFolder } from '../data-folder.ts';
import type { ServerDatabase, Sql } from '../database/database-interface.ts';
import type { Log } from '../log.ts';
import type { KeyRing } from './key-ring.ts';
import { createLocalObjects, holdsObjects, type LocalObjects } from './local-objects.ts';
import { type ObjectRows, placeOfObjects } from './object-rows.ts';
import type { ObjectStore } from './object-store-interface.ts';
import {
  createS3Client,
  type ObserveS3,
  type S3Client,
  S3FullError,
  S3RefusedError,
  type S3Settings,
  S3UnavailableError,
} from './s3-client.ts';
import { createS3Objects } from './s3-objects.ts';
import { probeS3UnlessFull } from './s3-probe.ts';
import { confirmStore, folderPlace, s3Place } from './store-id.ts';

interface OpenOptions {
  readonly config: Pick<ServerConfig, 'database' | 'limits' | 'objects'>;
  readonly folder: Pick<DataFolder, 'objects' | 'scratch'>;
  readonly ring: KeyRing;
  readonly rows: ObjectRows;
  readonly node: string;
  /** Requests are signed with its time, which the store compares with its own. */
  readonly clock: Clock;
  readonly random: Random;
  readonly observe?: ObserveS3 | undefined;
}

interface OpenOwnOptions extends OpenOptions {
  readonly records: ServerDatabase;
  /** The clock on which all nodes agree. */
  readonly sharedClock: Clock;
  /** Whether no other node runs on the records, or may go on. */
  readonly isAlone: () => Promise<boolean>;
  readonly log: Log;
}

interface OpenedObjects {
  readonly objects: ObjectStore;
  /** Null for a store that is not in files. */
  readonly files: Pick<LocalObjects, 'files' | 'restage'> | null;
  close(): Promise<void>;
}

/**
 * Throws with a sentence for the operator when the objects are in the other kind of store. `objects` is where a folder would
 * have them.
 */
export const refuseOtherKind = async (
  records: Sql,
  { database, objects: { s3 } }: Pick<ServerConfig, 'database' | 'objects'>,
  objects: string,
): Promise<void> => {
  const place = await placeOfObjects(records);
  const isShared = database.url !== null;
  if (s3 === null && place === 'chunks') {
    throw new Error(
      isShared
        ? 'The files of these records are in an S3 store; configure objects.s3 as before.'
        : 'The files of this data folder are in an S3 store; configure objects.s3 as before, or start with an empty --data.',
    );
  }
  if (s3 !== null && isShared && place === 'files') {
    throw new Error(
      'The files of these records are in a data folder; start without objects.s3, on the folder that has them.',
    );
  }
  if (s3 !== null && (place === 'files' || holdsObjects(objects))) {
    throw new Error(
      'This data folder has its files in itself; start without objects.s3, or with an empty --data for the S3 store.',
    );
  }
};

/**
 * Throws with a sentence for the operator when the data folder belongs to the other store, or when the S3 store cannot be
 * used or belongs to other records. Removes what an earlier process has left in the scratch folder.
 */
export const openObjectStore = async (options: OpenOwnOptions): Promise<OpenedObjects> => {
  const { config, folder, ring, rows } = options;
  const { s3 } = config.objects;
  await refuseOtherKind(options.records, config, folder.objects);
  await rm(folder.scratch, { recursive: true, force: true });
  if (s3 === null) {
    // SQLite is in the same data folder.
    if (config.database.url !== null)
      await confirmStore({ ...options, place: folderPlace(folder.objects), clock: options.sharedClock });
    const { files, restage, ...objects } = await createLocalObjects({ root: folder.objects, ring, rows });
    return { objects, files: { files, restage }, close: async () => {} };
  }
  makePrivateFolder(folder.scratch);
  const { objects, client, close } = createS3Store(s3, {
    ...options,
    scratch: folder.scratch,
    // Of each read, one chunk is sent and the next one is on its way.
    streams: 2 * config.limits.openReads,
  });
  try {
    await probeS3({ probe: () => probeS3UnlessFull(client, options.node, 'start') }, s3);
    await confirmStore({ ...options, place: s3Place(client, s3), clock: options.sharedClock });
  } catch (error) {
    await close();
    throw error;
  }
  // While it serves, the log of the health checks says in the same way what to do.
  return { objects: { ...objects, probe: () => probeS3(objects, s3) }, files: null, close };
};

export const createS3Store = (
  settings: S3Settings,
  {
    ring,
    rows,
    node,
    scratch,
    streams,
    clock,
    random,
    observe,
  }: Omit<OpenOptions, 'config' | 'folder'> & {
    readonly scratch: string;
    readonly streams?: number;
  },
): { readonly objects: ObjectStore; readonly client: S3Client; close(): Promise<void> } => {
  const client = createS3Client({
    ...{ settings, clock, random },
    ...(observe && { observe }),
    ...(streams !== undefined && { streams }),
  });
  return { objects: createS3Objects({ client, ring, rows, node, scratch }), client, close: () => client.close() };
};

/** Writes, reads and removes an object. Throws with a sentence that names what failed and what to do. */
export const probeS3 = async (objects: Pick<ObjectStore, 'probe'>, settings: S3Settings): Promise<void> => {
  try {
    await objects.probe();
  } catch (error) {
    throw new Error(adviceFor(error, settings), { cause: error });
  }
};

const CALLS: Readonly<Record<string, string>> = { put: 'written', get: 'read', delete: 'removed' };

/** A sentence for the operator: what failed and what to do. */
export const adviceFor = (error: unknown, { endpoint, bucket, region, prefix }: S3Settings): string => {
  const { host } = new URL(endpoint);
  if (error instanceof S3UnavailableError) {
    const { operation, reason } = error;
    return `The object store ${host} does not answer (${operation}: ${reason}); check objects.s3.endpoint, and that the store runs.`;
  }
  if (!(error instanceof S3RefusedError)) return `The object store ${host} does not work: ${String(error)}`;
  const { operation, status, s3Code } = error;
  const refusal = `(${operation}: ${[status, s3Code].join(' ').trim()})`;
  if (error instanceof S3FullError)
    return `The object store ${host} has no space left for the bucket ${bucket} ${refusal}; delete something there, or raise its quota.`;
  switch (s3Code) {
    case 'NoSuchBucket':
    case 'InvalidBucketName':
      return `The object store ${host} has no bucket ${bucket} ${refusal}; create it, or correct objects.s3.bucket.`;
    case 'InvalidAccessKeyId':
      return `The object store ${host} does not know the access key ${refusal}; correct objects.s3.accessKeyId.`;
    case 'SignatureDoesNotMatch':
      return `The object store ${host} refuses the signature ${refusal}; correct objects.s3.secretAccessKey.`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'IllegalLocationConstraintException':
      return `The bucket ${bucket} is not in the region ${region} ${refusal}; correct objects.s3.region.`;
    case 'RequestTimeTooSkewed':
      return `The clock of this computer differs from that of the object store ${host} ${refusal}; correct it.`;
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `In the bucket ${bucket} nothing can be ${CALLS[operation]} below "${prefix}" ${refusal}; permit the access key to put, get and delete objects there.`;
    default:
      return `The object store ${host} refuses what the server needs ${refusal}; check that objects.s3.endpoint is an S3 store and objects.s3.pathStyle fits it.`;
  }
};
