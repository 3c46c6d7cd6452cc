/**
 * `server move`: copies a data folder to PostgreSQL and an S3 store, with its objects in their encrypted form, and
 * leaves the folder's data unchanged. The command may be interrupted and repeated at any moment: the tables of
 * accounts and items are written last, in one transaction, once every undamaged object has been compared.
 */
import { systemClock, systemRandom } from '../../clock-and-random.ts';
import type { ServerConfig } from '../../config/config.ts';
import type { ObjectId } from '../../storage/object-store-interface.ts';
import { probeS3 } from '../../storage/open-object-store.ts';
import { createS3Client } from '../../storage/s3-client.ts';
import { probeS3Once } from '../../storage/s3-probe.ts';
import { confirmStore, s3Place } from '../../storage/store-id.ts';
import { nodesThatMayWrite, runningNodes } from '../node-registry.ts';
import { createObjectCopies } from './copy-objects.ts';
import { type Counts, compareTarget, copyTables } from './copy-tables.ts';
import { openSource } from './source-folder.ts';

interface Moved {
  readonly done: true;
  /** Rows by table; null when an earlier run has copied them. */
  readonly rows: Counts | null;
  readonly objects: number;
  /** Bytes as stored, of all objects. */
  readonly bytes: number;
  /** Objects that this run has written; earlier runs have written the others. */
  readonly written: number;
  /** Objects that are missing or damaged in the folder: left out, unless an earlier run has copied them before. */
  readonly damaged: readonly ObjectId[];
}

interface MoveOptions {
  readonly from: string;
  /** Where to, and the key of the folder as for a server. */
  readonly config: ServerConfig;
  readonly keyText: string | null;
  /** Whether damaged objects are left out instead of ending the move. */
  readonly skipDamaged: boolean;
  /** Progress, a sentence a line. */
  readonly log: (line: string) => void;
}

const SHOWN = 20;

/** Rejects with a sentence for the operator; the records are then not written. */
export const move = async (options: MoveOptions): Promise<Moved> => {
  const parts = new AsyncDisposableStack();
  try {
    return await moveWith(options, parts);
  } finally {
    await parts.disposeAsync();
  }
};

const moveWith = async (
  { from, config, keyText, skipDamaged, log }: MoveOptions,
  parts: AsyncDisposableStack,
): Promise<Moved> => {
  const { database, objects } = config;
  const { url } = database;
  const { s3 } = objects;
  if (url === null || s3 === null) {
    throw new Error(
      'Specify the target: configure both database.url and objects.s3, in --config FILE or the environment.',
    );
  }
  const source = openSource({ from, keyFile: config.keyFile, keyText });
  parts.defer(source.close);
  const client = createS3Client({ settings: s3, clock: systemClock, random: systemRandom });
  parts.defer(client.close);
  await probeS3({ probe: () => probeS3Once(client, 'move', 'start') }, s3);
  const { openPostgres } = await import('../../database/postgres.ts');
  const target = await openPostgres({ ...database, url });
  parts.defer(target.close);

  const [running] = await runningNodes(target);
  if (running !== undefined) {
    throw new Error(`The server "${running.name}" is running on the database; stop it, and start it after the move.`);
  }
  const copies = createObjectCopies({ source, target, client, log });
  const foreign = (await copies.masterKeys()).filter((id) => !source.masterKeys.includes(id));
  if (foreign.length > 0) {
    throw new Error(
      `A server with another master key (${foreign.join(', ')}) has run on the database; name an empty one.`,
    );
  }
  const before = await compareTarget(target, source.database);
  if (before === 'other') {
    throw new Error(
      'The database has accounts already: a server has used it since the move, or it belongs to another service. A folder is moved to an empty database only.',
    );
  }
  await confirmStore({
    ...{ records: target, place: s3Place(client, s3), node: 'move', clock: systemClock, random: systemRandom, log },
    isAlone: async () => (await nodesThatMayWrite(target)).length === 0,
  });
  const refuseDamaged = (damaged: readonly ObjectId[]): void => {
    if (damaged.length === 0 || skipDamaged) return;
    const more = damaged.length > SHOWN ? ` and ${damaged.length - SHOWN} more` : '';
    throw new Error(
      `In the folder ${damaged.length} objects are missing or damaged (${damaged.slice(0, SHOWN).join(', ')}${more}); restore them from your backup and repeat, or move all others with --skip-damaged.`,
    );
  };
  const { written, damaged } = before === 'moved' ? { written: 0, damaged: [] } : await copies.copy();
  refuseDamaged(damaged);
  log('All objects are copied; comparing every byte.');
  // Also what an earlier run has copied may be damaged in the folder by now, and cannot be compared.
  const checked = await copies.check();
  refuseDamaged(checked.damaged);
  log(
    checked.damaged.length === 0
      ? 'All objects are as in the folder.'
      : `All objects are as in the folder, except ${checked.damaged.length} that are missing or damaged there.`,
  );
  const rows =
    before === 'moved' ? null : await copyTables(target, source.database, (tx) => copies.settle(tx, checked.objects));
  return { done: true, rows, ...checked, written };
};
