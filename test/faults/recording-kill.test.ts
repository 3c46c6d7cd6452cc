/**
 * A recording survives a crash of the app, and a power cut, at any second of its first ten: the next start recovers all
 * of it except for at most three seconds. `npm run test:recording-kill` kills at several moments of every second;
 * otherwise a few moments are drawn.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { lengthOf, seedOf } from '../support/campaign.ts';
import { canMount, mountDisk } from '../support/disk-image.ts';
import { wait } from '../support/engine.ts';
import { expectRecovered, killAfter, LOST_MS, startVictim } from '../support/processes/recording-victim.ts';
import { openScreenClock } from '../support/screen/screen-clock.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Kills, and power cuts, in each second; null: a few in all. */
const PER_SECOND = lengthOf('RECORDING_KILLS', { short: 0, long: 5 }) || null;
const SECONDS = 10;
/** `npm test` must be short: longer recordings belong to the campaign. */
const DRAWN = { kills: 3, cuts: 2, seconds: 6 } as const;
const AT_ONCE = 3;
const SEED = seedOf(31);

const root = temporaryFolder('recording-kill');
const random = seededRandom(SEED);
const isMountable = canMount(root);

let screen: XScreen;
let clock: Awaited<ReturnType<typeof openScreenClock>>;
beforeAll(async () => {
  screen = await openXScreen(400, 300);
  clock = await openScreenClock(screen, { x: 0, y: 0 });
});
afterAll(async () => {
  await clock.close();
  await screen.close();
});

/** Milliseconds after the beginning, in order. */
const momentsFor = (few: number): readonly number[] => {
  const drawn =
    PER_SECOND === null
      ? Array.from({ length: few }, () => random() * DRAWN.seconds * 1_000)
      : Array.from({ length: (SECONDS + 1) * PER_SECOND }, (_, n) => (Math.floor(n / PER_SECOND) + random()) * 1_000);
  return drawn.map(Math.round).sort((a, b) => a - b);
};

const PATIENCE_MS = 120_000;

const tell = (what: string, lost: readonly number[]): void => {
  const most = (Math.max(...lost) / 1_000).toFixed(2);
  console.log(`${lost.length} ${what}, at most ${most} s of a recording lost (SEED=${SEED}).`);
};

const kills = momentsFor(DRAWN.kills);
it(`whose app is killed loses three seconds at most, and leaves no ffmpeg behind (seed ${SEED})`, {
  timeout: PATIENCE_MS + kills.length * 20_000,
}, async () => {
  const lost: number[] = [];
  for (let at = 0; at < kills.length; at += AT_ONCE) {
    const killed = await Promise.all(
      kills.slice(at, at + AT_ONCE).map(async (ms) => {
        const victim = await startVictim(join(root, `killed-${at}-${ms}`), screen);
        return { ...victim, length: await killAfter(victim, ms) };
      }),
    );
    for (const one of killed) lost.push(await expectRecovered(one, screen));
    for (const { profileDir } of killed) rmSync(profileDir, { recursive: true });
  }
  expect(Math.max(...lost)).toBeLessThan(LOST_MS);
  tell('kills', lost);
});

it.skipIf(!isMountable)(
  `whose computer loses power loses at most three seconds, on ext4 (seed ${SEED}; skipped where mounting is not permitted)`,
  {
    timeout: PATIENCE_MS + 2 * SECONDS * 1_000 * (PER_SECOND ?? 1),
  },
  async () => {
    const lost: number[] = [];
    // Every power cut of one round is of the same recording.
    for (let round = 0; round < (PER_SECOND ?? 1); round++) {
      const folder = join(root, `power-${round}`);
      mkdirSync(folder);
      const disk = mountDisk(join(folder, 'disk.img'), join(folder, 'disk'));
      if (!disk) throw new Error('The disk cannot be mounted any more.');
      const finish = (): void => {
        disk.unmount();
        rmSync(folder, { recursive: true, force: true });
      };
      onTestFinished(finish);
      const victim = await startVictim(join(disk.folder, 'profile'), screen);
      const cuts: { readonly file: string; readonly length: number }[] = [];
      const moments =
        PER_SECOND === null ? momentsFor(DRAWN.cuts) : momentsFor(0).filter((_, n) => n % PER_SECOND === 0);
      for (const [n, ms] of moments.entries()) {
        await wait(Math.max(0, victim.since + ms - Date.now()));
        const file = join(folder, `cut-${n}.img`);
        cuts.push({ file, length: disk.cutPower(file) - victim.since });
      }
      const ended = new Promise((resolve) => victim.child.once('exit', resolve));
      victim.child.kill('SIGKILL');
      await ended;
      for (const { file, length } of cuts) {
        const left = mountDisk(file, `${file}.mounted`);
        if (!left) throw new Error('What a power cut left cannot be mounted.');
        try {
          lost.push(await expectRecovered({ profileDir: join(left.folder, 'profile'), length, before: 0 }, screen));
        } finally {
          left.unmount();
        }
      }
      finish();
    }
    expect(Math.max(...lost)).toBeLessThan(LOST_MS);
    tell('power cuts', lost);
  },
);
