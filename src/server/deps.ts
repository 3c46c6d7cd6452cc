/**
 * The type of the dependencies that the modules of the server share, such as the configuration, the clocks, the
 * database and the object store.
 */
import type { Clock, Random } from './clock-and-random.ts';
import type { ServerConfig } from './config/config.ts';
import type { ServerDatabase } from './database/database-interface.ts';
import type { DownloadSlots } from './http/download-slots.ts';
import type { DeletionQueue } from './jobs/deletion-queue.ts';
import type { Slots } from './limits/concurrency-slots.ts';
import type { Log } from './log.ts';
import type { ObjectStore } from './storage/object-store-interface.ts';

export interface ServerDeps {
  readonly config: ServerConfig;
  readonly clock: Clock;
  /** The same for leases and claims, on which all nodes agree. */
  readonly sharedClock: Clock;
  readonly random: Random;
  readonly records: ServerDatabase;
  /** Names this node among those on the same records; no other process that runs at the same time has this name. */
  readonly node: string;
  /** Whether this node carries out the background jobs of all nodes. */
  readonly runsJobs: boolean;
  readonly slots: Slots;
  readonly objects: ObjectStore;
  readonly deletions: DeletionQueue;
  /** Large responses take a slot first. */
  readonly reading: DownloadSlots;
  /** The configured origin, or the address the server listens on. */
  readonly webOrigin: () => string;
  readonly log: Log;
}
