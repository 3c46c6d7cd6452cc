/** Holds the syncs of a server, so that a part stays between its bytes and its row for as long as a test wants. */
import fs, { rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

type Sync = typeof fs.fdatasync;

export interface HeldSyncs {
  /** How many syncs wait now. */
  held(): number;
  /** From now on no sync waits. */
  release(): void;
}

/** Holds every sync of parts in this process until `release`. */
export const holdSyncs = (): HeldSyncs => {
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
  /** For the command line of the server's process. */
  readonly nodeArgs: readonly string[];
  /** From now on every sync of parts says `sync held` on stderr and waits until `release`. */
  holdSyncs(): void;
  /** From now on a write of a part writes its first half, says `write torn` on stderr, and never ends. */
  tearWrites(): void;
  release(): void;
}

/** The disk of a server that is a process of its own; `folder` is where the two agree. Each sync takes `syncMs` longer. */
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
