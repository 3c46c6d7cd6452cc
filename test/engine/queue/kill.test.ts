/** Whenever the process is killed, the next start leads to the same single published item. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lengthOf } from '../../support/campaign.ts';
import { randomFile } from '../../support/engine.ts';
import { openBareEngine, publishWhatIsLeft } from '../../support/processes/bare-engine.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type ModelRequest, startModelService } from '../../support/server/model-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Each further start finds less to do. */
const KILLS = lengthOf('ENGINE_KILLS', { short: 3, long: 12 });
const PART = 2 * 1024 * 1024;
const SCRIPT = fileURLToPath(new URL('../../support/processes/engine-process.ts', import.meta.url));
const root = temporaryFolder('engine-kill');

const scene = async (name: string, parts: number) => {
  const folder = join(root, name.replace(/\W+/g, '-'));
  const model = await startModelService();
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await model.close();
  });
  const file = randomFile(folder, 'file.png', (parts - 1) * PART + 1_000);
  const run = (...more: string[]) => {
    const args = [SCRIPT, join(folder, 'profile'), model.url, 'key-a', ...more];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.add(child);
    return child;
  };
  const ended = async (child: ChildProcess) =>
    (child.exitCode ?? child.signalCode ?? (await once(child, 'exit'))[0]) as unknown;
  /** The next start, in this process: the one that was killed has left nothing behind but its folder. */
  const startNext = async () => publishWhatIsLeft(await openBareEngine(join(folder, 'profile')), model.url, 'key-a');
  return { model, file, run, ended, startNext };
};

const published = (model: Awaited<ReturnType<typeof startModelService>>) =>
  model.published().map(({ sha256 }) => sha256);

describe('a process that is killed', () => {
  const moments: readonly [string, (request: ModelRequest) => boolean][] = [
    ['start', ({ operation }) => operation === 'start'],
    ['the first part', ({ operation }) => operation === 'part'],
    ['a later part', ({ operation, nth }) => operation === 'part' && nth === 4],
    ['complete', ({ operation }) => operation === 'complete'],
  ];
  for (const [moment, isMoment] of moments) {
    for (const effect of ['before it is done', 'after it is done and before the answer'] as const) {
      it(`at ${moment}, ${effect}, publishes the file exactly once at the next start`, async () => {
        const { model, file, run, ended, startNext } = await scene(`${moment} ${effect}`, 7);
        const first = run(file.path);
        let isKilled = false;
        model.interfere = (request) => {
          if (isKilled || !isMoment(request)) return null;
          isKilled = true;
          first.kill('SIGKILL');
          return { do: effect === 'before it is done' ? 'break' : 'lose-answer' };
        };
        await ended(first);
        expect(isKilled).toBe(true);
        const partsBefore = model.requests.filter(({ operation }) => operation === 'part').length;
        await startNext();
        expect(published(model)).toEqual([file.sha256]);
        expect(model.uploads.size).toBe(1);
        const parts = model.requests.filter(({ operation }) => operation === 'part').length;
        // Seven parts, and at most the three that were under way a second time.
        expect(parts).toBeLessThanOrEqual(Math.max(7 + 3, partsBefore));
      });
    }
  }

  it('as soon as the file is taken in, still publishes it', async () => {
    const { model, file, run, ended, startNext } = await scene('taken in', 3);
    const first = run(file.path);
    await once(first.stdout ?? first, 'data');
    first.kill('SIGKILL');
    await ended(first);
    await startNext();
    expect(published(model)).toEqual([file.sha256]);
  });

  // Processes start slowly on a crowded machine.
  it('again and again at random moments publishes exactly once', async () => {
    const { model, file, run, ended } = await scene('random', 30);
    const random = seededRandom(7);
    const first = run(file.path);
    await once(first.stdout ?? first, 'data');
    let child = first;
    for (let kills = 0; kills < KILLS; kills++) {
      const at = model.requests.length + Math.floor(random() * 6);
      model.interfere = () => {
        if (model.requests.length >= at) child.kill('SIGKILL');
        return null;
      };
      await ended(child);
      child = run();
    }
    model.interfere = () => null;
    expect(await ended(child)).toBe(0);
    expect(published(model)).toEqual([file.sha256]);
    expect(model.uploads.size).toBe(1);
  });
});
