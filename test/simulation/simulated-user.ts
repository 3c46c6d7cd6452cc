/** Actions of the user and the environment in one run, one after the other at moments that the seed chooses. */

import type { ItemId } from '../../src/api/ids.ts';
import { LIMITS } from '../../src/api/limits.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { isCancelBlocked } from '../../src/ipc/protocol/is-cancel-blocked.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { must } from '../support/results.ts';
import { SPOOL } from './disk.ts';
import type { Entry, Kind } from './entry.ts';
import { UNSUPPORTED } from './service-uploads.ts';
import type { World } from './world.ts';

const SERVER = 'https://model.test';
const MINUTE = 60_000;

export interface User {
  add(): void;
  /** Something that the seed chooses. */
  act(): void;
  /** With a key that is good; may fail when the network does. */
  connect(account: 'a' | 'b'): void;
}

const ENDINGS: Partial<Record<Kind, string>> = { note: 'txt', folder: 'src' };

type Act = readonly [weight: number, name: string, act: () => void];

/** Nothing that was sent so far can have published it. */
const isEarly = ({ state }: QueueItem): boolean =>
  state === 'queued' || state === 'prepared' || state === 'hashed' || state === 'started';

export const createSimulatedUser = (world: World): User => {
  const { timeline, dice, disk, network, service, entries, now, see, trace } = world;
  let keys = 0;

  const withEngine = (what: (engine: Engine) => unknown) => {
    const machine = world.machine();
    if (!machine || machine.life.isOver) return;
    const refused = (error: unknown) => trace(() => `refused: ${error}`);
    try {
      Promise.resolve(what(machine.engine)).catch(refused);
    } catch (error) {
      refused(error);
    }
  };
  const some = (): ItemId[] =>
    world
      .items()
      .filter(() => dice.chance(0.4))
      .map(({ id }) => id);
  const aSource = (): Entry | undefined => {
    const owned = entries.filter(({ kind }) => kind === 'file');
    return owned.length > 0 ? dice.pick(owned as [Entry, ...Entry[]]) : undefined;
  };
  const content = (kind: Entry['kind']): Buffer =>
    kind === 'note'
      ? Buffer.from(dice.uuid().repeat(dice.between(1, 4)))
      : dice.bytes(dice.between(1, 7 * LIMITS.partBytes));
  const later = (ms: number, what: () => void) => void timeline.after(ms, null, what);

  const rewrite = (entry: Entry | undefined) => {
    if (!entry || !disk.read(entry.path)) return;
    const bytes = content('file');
    bytes[0] = entry.isUnsupported ? UNSUPPORTED : 1;
    entry.allowed.add(disk.write(entry.path, bytes));
  };

  const add = () => {
    const kind = dice.pick(['file', 'file', 'file', 'capture', 'capture', 'note', 'folder'] as const);
    const number = entries.length + 1;
    const isUnsupported = kind === 'file' && dice.chance(0.05);
    const ending = ENDINGS[kind] ?? (!isUnsupported && dice.chance(0.3) ? 'mov' : 'png');
    const name = `item-${number}.${ending}`;
    const isOwn = kind === 'capture' || kind === 'note';
    const path = isOwn ? `${SPOOL}/${name}` : `/home/${name}`;
    const bytes = content(kind);
    bytes[0] = isUnsupported ? UNSUPPORTED : 1;
    const isGuarded = dice.chance(0.2);
    const allowed = new Set([disk.write(path, bytes)]);
    const entry: Entry = {
      ...{ name, kind, path, allowed, isUnsupported, isGuarded },
      ...{ id: null, taken: 'asking', cancelled: 'no', isDismissed: false },
    };
    entries.push(entry);
    see(`added: ${kind}`);
    // Some programs still write to a file that the user has already added.
    if (kind === 'file' && dice.chance(0.2)) {
      for (let more = dice.between(1, 6); more > 0; more--) later(dice.number() * 60, () => rewrite(entry));
    }
    trace(() => `adds ${name}, ${bytes.byteLength} bytes`);
    withEngine(async (engine) => {
      const owner = isOwn ? 'spool' : 'user';
      const job = kind === 'note' ? ({ kind: 'note', format: 'plain', language: null } as const) : undefined;
      const share = { title: name, ...(isGuarded && { allowDownload: false }) };
      const added = await engine.queue.add([
        {
          ...{ source: { owner, path }, name, share },
          ...(job && { job }),
          ...(kind === 'capture' && { origin: 'capture' as const }),
        },
      ]);
      entry.taken = added.ok ? 'yes' : 'no';
      entry.id = (added.ok && added.value[0]) || null;
      trace(() => `${name} ${added.ok ? 'is taken' : `is refused: ${added.error.code}`}`);
    });
  };

  const connect = (account: 'a' | 'b') => {
    now.account = account;
    const key = `key-${account}-${++keys}`;
    service.keys.set(key, { account: `account-${account}`, state: 'good' });
    withEngine(async (engine) => {
      const connected = await engine.connection.connect(
        { server: SERVER, key, keep: 'store' },
        new AbortController().signal,
      );
      trace(() => `connect as ${account}: ${connected.ok ? 'ok' : connected.error.code}`);
    });
  };

  const restart = (how: 'process' | 'power') => {
    world.kill(how);
    later(dice.between(100, 20_000), world.start);
  };

  const acts: readonly Act[] = [
    [10, 'add', () => (entries.length < 12 ? add() : undefined)],
    [3, 'pause', () => withEngine((engine) => engine.queue.pause({ ids: some() }))],
    [4, 'resume', () => withEngine((engine) => engine.queue.resume({ ids: some() }))],
    [4, 'retry', () => withEngine((engine) => engine.queue.retry({ ids: some() }))],
    [
      3,
      'cancel',
      () => {
        // Where cancelling needs the user, a second time would remove what may be published.
        const blocked = new Set(world.items().flatMap((item) => (isCancelBlocked(item) ? [item.id] : [])));
        const ids = some().filter((id) => !blocked.has(id));
        for (const item of world.items()) {
          const entry = ids.includes(item.id) && item.state !== 'linked' ? world.entryOf(item) : undefined;
          if (entry) entry.cancelled = isEarly(item) && !now.isDiskFull ? 'early' : 'late';
        }
        withEngine((engine) => engine.queue.cancel({ ids }));
      },
    ],
    [
      2,
      'dismiss',
      () => {
        const ids = some();
        for (const item of world.items()) {
          const entry = ids.includes(item.id) && item.state === 'linked' ? world.entryOf(item) : undefined;
          if (entry) entry.isDismissed = true;
        }
        withEngine((engine) => engine.queue.dismiss({ ids }));
      },
    ],
    [
      3,
      'move',
      () => {
        const [id] = some();
        if (id) withEngine((engine) => engine.queue.move({ id, before: some()[0] ?? null }));
      },
    ],
    [
      2,
      'set tags',
      () =>
        withEngine((engine) =>
          engine.queue
            .setShare({ ids: some(), change: { tags: [`tag-${dice.between(1, 9)}`] } })
            .then((reply) => must(reply).answers),
        ),
    ],
    [2, 'pause all', () => withEngine((engine) => engine.queue.pauseAll())],
    [3, 'resume all', () => withEngine((engine) => engine.queue.resumeAll())],
    [1, 'items at once', () => withEngine((engine) => engine.settings.update({ itemsAtOnce: dice.between(1, 3) }))],
    [
      2,
      'refresh',
      () =>
        withEngine((engine) =>
          engine.connection.refresh({}, new AbortController().signal).then((reply) => must(reply)),
        ),
    ],
    [6, 'edit', () => rewrite(aSource())],
    [
      3,
      'edit in place',
      () => {
        const entry = aSource();
        const bytes = entry && disk.read(entry.path);
        if (!bytes || bytes.length < 2) return;
        const edited = Buffer.from(bytes);
        edited[edited.length - 1] = dice.between(2, 250);
        entry.allowed.add(disk.write(entry.path, edited));
      },
    ],
    [2, 'touch', () => disk.touch(aSource()?.path ?? '')],
    [
      3,
      'remove and restore',
      () => {
        const entry = aSource();
        const bytes = entry && disk.read(entry.path);
        if (!bytes) return;
        disk.remove(entry.path);
        later(dice.between(100, 5 * MINUTE), () => void disk.write(entry.path, bytes));
      },
    ],
    [
      2,
      'scan for viruses',
      () => {
        const path = aSource()?.path ?? '';
        disk.locked.add(path);
        later(dice.between(100, 20_000), () => void disk.locked.delete(path));
      },
    ],
    [
      4,
      'offline',
      () => {
        network.weather.isOnline = false;
        later(dice.between(1_000, 5 * MINUTE), () => {
          network.weather.isOnline = true;
        });
      },
    ],
    [
      5,
      'service dies',
      () => {
        if (!service.isUp) return;
        world.killService();
        later(dice.between(100, MINUTE), service.revive);
      },
    ],
    [8, 'kill', () => restart('process')],
    [3, 'power cut', () => restart('power')],
    [
      8,
      'kill at a write',
      () => {
        now.writesToDeath = dice.between(0, 25);
        later(dice.between(10_000, 60_000), () => {
          now.writesToDeath = Number.POSITIVE_INFINITY;
          if (!world.machine() || world.machine()?.life.isOver) world.start();
        });
      },
    ],
    [
      3,
      'disk full',
      () => {
        now.isDiskFull = true;
        later(dice.between(100, 2 * MINUTE), () => {
          now.isDiskFull = false;
        });
      },
    ],
    [
      2,
      'clock jump',
      () => {
        now.skew = dice.pick([-400, -1, 0, 1, 400]) * 24 * 60 * MINUTE;
      },
    ],
    [
      2,
      'key ends',
      () => {
        const state = dice.pick(['API_KEY_EXPIRED', 'API_KEY_REVOKED'] as const);
        for (const key of service.keys.values()) if (key.account === `account-${now.account}`) key.state = state;
      },
    ],
    [3, 'connect', () => connect(now.account)],
    [2, 'switch account', () => connect(now.account === 'a' ? 'b' : 'a')],
    [
      2,
      'quota',
      () => {
        service.quotaBytes = service.usedBytes(`account-${now.account}`) + dice.between(0, 3 * LIMITS.partBytes);
        later(dice.between(1_000, 5 * MINUTE), () => {
          service.quotaBytes = Number.POSITIVE_INFINITY;
        });
      },
    ],
    [
      1,
      'lock the key store',
      () => {
        now.areSecretsLocked = true;
        later(dice.between(100, MINUTE), () => {
          now.areSecretsLocked = false;
        });
      },
    ],
    [
      1,
      'weather',
      () => {
        network.weather.faults = dice.pick([0, 0.05, 0.3, 0.7]);
        network.weather.partMs = dice.pick([20, 300, 4_000]);
      },
    ],
  ];
  const lots = acts.flatMap((act) => Array.from({ length: act[0] }, () => act)) as [Act, ...Act[]];

  return {
    add,
    connect,
    act() {
      const [, name, act] = dice.pick(lots);
      see(`act: ${name}`);
      trace(() => `* ${name}`);
      act();
    },
  };
};
