/** One start of the app on a database that outlives it; it can be killed between any two actions, or lose power. */

import Database from 'better-sqlite3';
import { err, failure, ok, type Result } from '../../src/api/errors.ts';
import { type Engine, runEngine } from '../../src/engine/engine.ts';
import type { ScreenCapturer, SecretStore } from '../../src/engine/ports.ts';
import { MIGRATIONS } from '../../src/engine/profile/migrations.ts';
import type { OpenProfile } from '../../src/engine/profile/open-profile.ts';
import type { Spool } from '../../src/engine/profile/spool.ts';
import { partHash } from '../../src/engine/upload/manifest.ts';
import type { Prepare } from '../../src/engine/upload/preparation-types.ts';
import { createOpenSource } from '../../src/engine/upload/upload-source.ts';
import type { SimulatedDisk } from './disk.ts';
import type { SimulatedNetwork } from './network.ts';
import type { Dice } from './rng.ts';
import type { Life, Timeline } from './timeline.ts';

/** What is on the disk: after a kill all that was written, after a power cut only what was synced. */
export interface Platters {
  written: () => Buffer;
  synced: Buffer;
}

const emptyImage = (() => {
  const database = new Database(':memory:');
  for (const sql of MIGRATIONS) database.exec(sql);
  const image = database.serialize();
  database.close();
  return image;
})();

export const emptyPlatters = (): Platters => ({ written: () => emptyImage, synced: emptyImage });

export interface Machine {
  readonly life: Life;
  readonly engine: Engine;
  /** Ends it here and now; `power`: what was not synced goes, too. */
  kill(how: 'process' | 'power'): void;
  /** Quits it like a user. */
  close(): Promise<void>;
}

export interface MachineDeps {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly disk: SimulatedDisk;
  readonly network: SimulatedNetwork;
  readonly platters: Platters;
  readonly secrets: SecretStore;
  readonly prepare: (life: Life) => Prepare;
  readonly skew: () => number;
  readonly isDiskFull: () => boolean;
  /** Called before each write to the database; true kills the process there. */
  readonly diesBeforeWrite: () => boolean;
  readonly onDeath: (machine: Life) => void;
  readonly onSpoolRemove: (path: string) => void;
  readonly alter: Alterations;
}

/** Where a test breaks the app on purpose, to see that it is noticed. */
export interface Alterations {
  readonly client?: (client: ReturnType<SimulatedNetwork['open']>) => ReturnType<SimulatedNetwork['open']>;
  readonly openFile?: (open: ReturnType<SimulatedDisk['opener']>) => ReturnType<SimulatedDisk['opener']>;
  readonly spool?: (spool: Spool) => Spool;
  readonly engine?: (engine: Engine) => Engine;
  /** True: this write is dropped. */
  readonly dropsWrite?: (sql: string, values: readonly unknown[]) => boolean;
  readonly sleep?: (ms: number) => number;
}

const noScreen = () => Promise.resolve(err(failure('CAPTURE_UNAVAILABLE', 'There is no screen here.')));
const noRecorder: ScreenCapturer = { displays: noScreen, windows: noScreen, freeze: noScreen, grab: noScreen };
const NAME = /^\s*(\w+)/;

export const startMachine = async (name: string, deps: MachineDeps): Promise<Machine> => {
  const { timeline, dice, platters, alter } = deps;
  const life: Life = { name, isOver: false };
  const database = new Database(platters.written());
  platters.written = () => database.serialize();

  const die = () => {
    if (life.isOver) return;
    life.isOver = true;
    deps.onDeath(life);
  };
  const full = () => new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  const beforeWrite = () => {
    if (!life.isOver && deps.diesBeforeWrite()) die();
    if (life.isOver) throw new Error('The process is dead.');
    if (deps.isDiskFull()) throw full();
  };
  const watched = new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') return prepareWatched;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const prepareWatched = (sql: string) => {
    const statement = database.prepare(sql);
    const isWrite = /INSERT|UPDATE|DELETE/.test(NAME.exec(sql)?.[1] ?? '');
    if (!isWrite) return statement;
    const run = statement.run.bind(statement);
    statement.run = (...values: unknown[]) => {
      beforeWrite();
      if (alter.dropsWrite?.(sql, values)) return { changes: 1, lastInsertRowid: 0 };
      return run(...values);
    };
    return statement;
  };
  const profile: OpenProfile = {
    database: watched,
    damage: null,
    recovered: () => {},
    durably(work) {
      const result = database.transaction(work)();
      platters.synced = database.serialize();
      return result;
    },
    scrub: () => Promise.resolve(),
    close: () => database.close(),
  };

  const clock = timeline.clock(life, deps.skew);
  const pacedClock = {
    ...clock,
    sleep: (ms: number, signal: AbortSignal) => clock.sleep(alter.sleep?.(ms) ?? ms, signal),
  };
  const random = { number: dice.number, uuid: dice.uuid };
  const opener = deps.disk.opener(life);
  const spool = deps.disk.spool(life, deps.onSpoolRemove);
  const engine = await runEngine(
    {
      clock: pacedClock,
      random,
      secrets: deps.secrets,
      clipboard: { writeText: () => Promise.resolve(ok(undefined)) },
      notifier: { linked: () => {} },
      opener: { open: (): Promise<Result<void>> => Promise.resolve(ok(undefined)) },
      environment: {},
      profileDir: '/profile',
      device: { name: 'Simulated computer', platform: 'linux' },
      version: 'simulated',
    },
    {
      profile,
      spool: alter.spool?.(spool) ?? spool,
      openThumbnails: () => ({
        has: () => false,
        path: () => null,
        make: () => {},
        replace: () => {},
        replaced: () => [],
        linked: () => {},
        put: () => Promise.resolve(),
        made: () => timeline.pass(dice.between(0, 50), life),
        remove: () => Promise.resolve(),
        clear: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
      openClient(_server, key) {
        const client = deps.network.open(life, { clock: pacedClock, random }, key);
        return alter.client?.(client) ?? client;
      },
      isFolder: deps.disk.isFolder,
      sources: { release: () => {}, close: () => {} },
      async hashPart(bytes) {
        await timeline.pass(dice.number(), life);
        return partHash(bytes);
      },
      openSource: createOpenSource(alter.openFile?.(opener) ?? opener),
      prepare: deps.prepare(life),
      previewFit: () => Promise.reject(new Error('Nobody looks at videos here.')),
      capturer: noRecorder,
      inputDisplay: null,
      cameras: { list: async () => [] },
      warm: () => Promise.resolve(),
      ffmpeg: () => Promise.resolve(null),
      freeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    },
  );
  return {
    life,
    engine: alter.engine?.(engine) ?? engine,
    kill(how) {
      die();
      const { synced } = platters;
      if (how === 'power') platters.written = () => synced;
    },
    async close() {
      await engine.close();
      die();
    },
  };
};
