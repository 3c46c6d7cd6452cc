/**
 * The dependencies that every part of the server gets. Nothing below `cli.ts` reads the clock, randomness or the
 * environment directly.
 */
import type Database from 'better-sqlite3';
import type { Clock, Random } from './clock-and-random.ts';
import type { ServerConfig } from './config/config.ts';
import type { DownloadSlots } from './http/download-slots.ts';
import type { DeletionQueue } from './jobs/deletions.ts';
import type { Log } from './log.ts';
import type { ObjectStore } from './storage/object-store.ts';

export interface ServerDeps {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly random: Random;
  /** WAL, `synchronous=FULL`, foreign keys on. */
  readonly database: Database.Database;
  readonly objects: ObjectStore;
  readonly deletions: DeletionQueue;
  /** Large responses take a slot first. */
  readonly reading: DownloadSlots;
  /** The configured origin, or the address the server listens on. */
  readonly webOrigin: () => string;
  readonly log: Log;
}
