/**
 * The environment of the app in one run: time, disk, network, service, keys; and the app itself, which may die and
 * restart.
 */

import { err, failure, ok } from '../../src/api/errors.ts';
import type { SecretStore } from '../../src/engine/ports.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { createDisk, type SimulatedDisk } from './disk.ts';
import { type Entry, isOf } from './entry.ts';
import { type Alterations, emptyPlatters, type Machine, startMachine } from './machine.ts';
import { createNetwork, type SimulatedNetwork } from './network.ts';
import { createPreparation } from './preparation.ts';
import { createRequestBook } from './request-counter.ts';
import { createDice, type Dice } from './rng.ts';
import { createService, type SimulatedService } from './service.ts';
import { createTimeline, type Timeline } from './timeline.ts';

export interface World {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly disk: SimulatedDisk;
  readonly network: SimulatedNetwork;
  readonly service: SimulatedService;
  readonly entries: Entry[];
  /** Mutable circumstances. */
  readonly now: {
    skew: number;
    isDiskFull: boolean;
    areSecretsLocked: boolean;
    writesToDeath: number;
    account: 'a' | 'b';
  };
  readonly seen: Map<string, number>;
  readonly broken: string[];
  machine(): Machine | null;
  items(): readonly QueueItem[];
  entryOf(item: QueueItem): Entry | undefined;
  start(): void;
  kill(how: 'process' | 'power'): void;
  killService(): void;
  trace(line: () => string): void;
  readonly lines: readonly string[];
  see(what: string): void;
}

export const createWorld = (seed: number, alter: Alterations, isTraced: boolean): World => {
  const timeline = createTimeline();
  const dice = createDice(seed);
  const disk = createDisk(timeline, dice);
  const broken: string[] = [];
  const lines: string[] = [];
  const seen = new Map<string, number>();
  const entries: Entry[] = [];
  const secrets = new Map<string, string>();
  const platters = emptyPlatters();
  const now: World['now'] = {
    skew: 0,
    isDiskFull: false,
    areSecretsLocked: false,
    writesToDeath: Number.POSITIVE_INFINITY,
    account: 'a',
  };
  let machine: Machine | null = null;
  let starts = 0;
  let isStarting = false;

  const trace = (line: () => string) => {
    if (isTraced) lines.push(`${(timeline.now() / 1000).toFixed(3).padStart(10)}  ${line()}`);
  };
  const see = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const breaks = (promise: string) => {
    trace(() => `BROKEN: ${promise}`);
    broken.push(promise);
  };

  const service = createService(timeline, dice, breaks);
  const book = createRequestBook(breaks);
  const network = createNetwork({
    timeline,
    dice,
    service,
    onSent: book.sent,
    onFault: (fault) => see(`fault: ${fault}`),
    trace,
  });
  const entryAt = (path: string) => entries.find((entry) => entry.path === path);

  const secretStore: SecretStore = {
    place: 'keyring',
    get: (name) => Promise.resolve(now.areSecretsLocked ? err(locked()) : ok(secrets.get(name) ?? null)),
    set(name, secret) {
      if (now.areSecretsLocked) return Promise.resolve(err(locked()));
      secrets.set(name, secret);
      return Promise.resolve(ok(undefined));
    },
    delete(name) {
      secrets.delete(name);
      return Promise.resolve(ok(undefined));
    },
  };

  const world: World = {
    ...{ timeline, dice, disk, network, service, entries, now, seen, broken, trace, see, lines },
    machine: () => machine,
    items: () => (machine && !machine.life.isOver ? machine.engine.state().queue.items : []),
    entryOf: (item) => entryAt(item.source.path),
    start() {
      // One process owns a profile.
      if (isStarting || (machine && !machine.life.isOver)) return;
      isStarting = true;
      starts++;
      const name = `app-${starts}`;
      trace(() => `${name} starts`);
      startMachine(name, {
        ...{ timeline, dice, disk, network, platters, alter },
        secrets: secretStore,
        prepare: createPreparation({ timeline, dice, disk, see, trace, entryAt }),
        skew: () => now.skew,
        isDiskFull: () => now.isDiskFull,
        diesBeforeWrite: () => now.writesToDeath-- <= 0,
        onDeath(life) {
          // The user's last action may not have reached the disk.
          for (const entry of entries) if (entry.cancelled === 'early') entry.cancelled = 'late';
          trace(() => `${life.name} dies`);
          now.writesToDeath = Number.POSITIVE_INFINITY;
          network.hangUp(life);
        },
        onSpoolRemove(path) {
          trace(() => `removes ${path}`);
          const entry = entryAt(path);
          const isWanted = entry?.cancelled === 'no' && !service.published().some((item) => isOf(item.name, entry));
          if (isWanted) breaks(`${entry.name} was removed before it was published`);
        },
      }).then(
        (started) => {
          isStarting = false;
          machine = started;
        },
        // Killed while it was starting, or no space to start on: the user tries again.
        (error: unknown) => {
          isStarting = false;
          trace(() => `${name} does not start: ${error}`);
          see('failed start');
        },
      );
    },
    kill(how) {
      see(`killed: ${how}`);
      trace(() => `kill (${how})`);
      machine?.kill(how);
    },
    killService() {
      see('service killed');
      trace(() => 'the service dies');
      service.die();
      network.hangUp(null);
    },
  };
  return world;
};

const locked = () => failure('KEY_STORE_FAILED', 'The key store is locked.');
