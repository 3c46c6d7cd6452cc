/**
 * Pauses the syncs of a server, or the answers of its S3 store, so that a part stays between its bytes and its row until a
 * test releases it.
 */
import fs, { rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ENGINES, s3Double } from '../engines/engines.ts';
import { isProbe } from './s3-double.ts';

type Sync = typeof fs.fdatasync;

export interface HeldSyncs {
  /** Number of waiting syncs. */
  held(): number;
  /** From now on syncs do not wait. */
  release(): void;
}

/** Pauses every sync of parts in this process, or every answer of its S3 store to a chunk, until `release`. */
export const holdSyncs = async (): Promise<HeldSyncs> =>
  ENGINES.objects === 's3' ? await holdPuts() : holdFileSyncs();

const holdPuts = async (): Promise<HeldSyncs> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const double = await s3Double();
  let held = 0;
  double.fault((method, key) => {
    if (method !== 'PUT' || isProbe(key)) return null;
    held += 1;
    return { kind: 'hold', until };
  });
  const release = (): void => {
    double.fault(() => null);
    resolve();
  };
  onTestFinished(release);
  return { held: () => held, release };
};

const holdFileSyncs = (): HeldSyncs => {
  const { fdatasync } = fs;
  const waiting: (() => void)[] = [];
  const use = (one: unknown): void => {
    fs.fdatasync = one as Sync;
    syncBuiltinESMExports();
  };
  use((...parameters: Parameters<Sync>) => void waiting.push(() => fdatasync(...parameters)));
  const release = (): void => {
    use(fdatasync);
    for (const go of waiting.splice(0)) go();
  };
  onTestFinished(release);
  return { held: () => waiting.length, release };
};

export interface RemoteDisk {
  /** Arguments for Node in the server's process. */
  readonly nodeArgs: readonly string[];
  /** From now on every sync of parts prints `sync held` on stderr and waits until `release`. */
  holdSyncs(): void;
  /** From now on a write of a part writes its first half, prints `write torn` on stderr, and never ends. */
  tearWrites(): void;
  release(): void;
}

/** The disk of a server in a separate process; both communicate through `folder`. Each sync takes `syncMs` longer. */
export const remoteDisk = (folder: string, { syncMs = 0 }: { readonly syncMs?: number } = {}): RemoteDisk => {
  const [hold, tear] = [join(folder, 'hold-syncs'), join(folder, 'tear-writes')];
  const preload = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { fdatasync, writev, existsSync } = fs;
    const look = (parameters) => {
      if (existsSync(${JSON.stringify(hold)})) setTimeout(look, 2, parameters);
      else fdatasync(...parameters);
    };
    fs.fdatasync = (...parameters) => {
      if (existsSync(${JSON.stringify(hold)})) process.stderr.write('sync held\\n');
      setTimeout(look, ${syncMs}, parameters);
    };
    fs.writev = (fd, buffers, position, done) => {
      if (!existsSync(${JSON.stringify(tear)})) return writev(fd, buffers, position, done);
      writev(fd, buffers.slice(0, buffers.length / 2), position, () => process.stderr.write('write torn\\n'));
    };
    syncBuiltinESMExports();`;
  return {
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
    holdSyncs: () => writeFileSync(hold, ''),
    tearWrites: () => writeFileSync(tear, ''),
    release: () => {
      for (const flag of [hold, tear]) rmSync(flag, { force: true });
    },
  };
};
