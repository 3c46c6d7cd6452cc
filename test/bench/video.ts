/**
 * `npm run bench:video`: every video of the corpus and a recorded screen are made to fit and sent to the real server;
 * then the same footage is fitted by Linkshot and by HandBrake to the same bytes, interleaved in one run.
 * Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FitLimits } from '../../src/engine/video/encoder-params.ts';
import { DEFAULT_CONFIG } from '../../src/server/config/config.ts';
import { FIT_CORPUS, UNDECODABLE } from '../support/media/fit-corpus.ts';
import { sendVideo } from '../support/media/video-fixture.ts';
import { startServer } from '../support/server/server.ts';
import { filmCamera, recordScreen } from './footage.ts';
import { type ClientRun, runClient } from './measure.ts';
import type { FitReport } from './peers/fit-once.ts';
import { isCheck, roundsOf, writeSection } from './report.ts';
import { similarity } from './similarity.ts';
import { type CorpusRun, corpusReport, type Duel, duelFigures, duelReport } from './video-report.ts';

const ROUNDS = roundsOf(3, 2);
const SCREEN_SECONDS = isCheck ? 20 : 66;
/** As `check.ts` knows it. */
const NO_PEER = 77;
const CAMERA_SECONDS = 8;
const MIB = 1024 ** 2;
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-video-'));
const once = join(import.meta.dirname, 'peers/fit-once.ts');
const free: FitLimits = { video: DEFAULT_CONFIG.video, maxBytes: 100 * MIB };
let fits = 0;

const succeeds = (command: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Before everything else on the machine where that is allowed, so that a crowd decides nothing between contenders. */
const FIRST = succeeds('chrt', '--rr', '1', 'true') ? ['chrt', '--rr', '1'] : [];
const runFirst = (command: readonly string[]): Promise<ClientRun> => runClient([...FIRST, ...command]);

const fitOnce = async (source: string, limits: FitLimits): Promise<{ report: FitReport; run: ClientRun }> => {
  const folder = join(work, `fit-${fits++}`);
  const run = await runFirst([process.execPath, once, source, folder, JSON.stringify(limits)]);
  return { report: JSON.parse(run.output.trim().split('\n').at(-1) ?? '') as FitReport, run };
};

const secondsOf = (path: string): number =>
  Number(
    execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path], {
      encoding: 'utf8',
    }),
  );

/** HandBrake for a given size: two passes, the first one fast, at the bitrate for these bytes. */
const handBrake = (source: string, target: string, bytes: number): Promise<ClientRun> => {
  const kilobits = Math.floor((bytes * 8) / secondsOf(source) / 1_000);
  const encoder = ['-e', 'x264', '--encoder-preset', 'veryfast', '-b', String(kilobits), '--two-pass', '--turbo'];
  const picture = ['--crop-mode', 'none', '--no-comb-detect', '--no-deinterlace', '--non-anamorphic', '-a', 'none'];
  return runFirst(['HandBrakeCLI', '-i', source, '-o', target, '-f', 'av_mp4', '-O', ...encoder, ...picture]);
};

const runCorpus = async (screen: string): Promise<readonly CorpusRun[]> => {
  const server = await startServer({ config: { limits: { requestsPerMinute: 100_000 } } });
  const user = await server.user({ plan: 'pro' });
  const runs: CorpusRun[] = [];
  const inputs = { ...FIT_CORPUS, ...UNDECODABLE, 'a recorded screen.mkv': () => Promise.resolve(screen) };
  try {
    for (const [name, make] of Object.entries(inputs)) {
      const { report } = await fitOnce(await make(), free);
      const answer = report.way === 'refuse' ? null : await sendVideo(server.url, user, report.path);
      const isTaken = answer?.status === 201;
      const isDecodable = !(name in UNDECODABLE);
      runs.push({ name, way: report.way, encodes: report.encodes, isDecodable, isTaken });
      const verdict = answer === null ? report.failure : isTaken ? 'taken' : `REFUSED: ${answer.problem.detail}`;
      console.log(`${name.padEnd(40)} ${report.way.padEnd(7)} ${verdict}`);
    }
  } finally {
    await server.stop();
  }
  return runs;
};

/** A check asks only for the time. */
const likeness = (path: string, source: string) =>
  isCheck ? { mean: Number.NaN, worst: Number.NaN } : similarity(path, source, FIRST);

const runDuel = async (name: string, source: string, limits: FitLimits, round: number): Promise<Duel> => {
  const { report, run } = await fitOnce(source, limits);
  if (report.way !== 'encode') throw new Error(`${name}: ${report.failure ?? report.way}`);
  const bytes = statSync(report.path).size;
  const theirs = join(work, `handbrake-${fits}.mp4`);
  const their = await handBrake(source, theirs, bytes);
  const duel: Duel = {
    ...{ name, round, passes: report.passes },
    ours: { wall: run.wall, cpu: run.cpu, bytes, ...likeness(report.path, source) },
    theirs: { wall: their.wall, cpu: their.cpu, bytes: statSync(theirs).size, ...likeness(theirs, source) },
  };
  console.log(JSON.stringify(duel));
  return duel;
};

try {
  const screen = join(work, 'screen.mkv');
  const camera = join(work, 'camera.mkv');
  const hasPeer = succeeds('HandBrakeCLI', '--version');
  if (hasPeer || !isCheck) await recordScreen(screen, SCREEN_SECONDS);
  if (hasPeer) {
    filmCamera(camera, CAMERA_SECONDS);
    const duels: Duel[] = [];
    for (const [name, source] of Object.entries({ Screen: screen, Camera: camera })) {
      let full = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const duel = await runDuel(`${name}, the size is free`, source, free, round);
        duels.push(duel);
        full = duel.ours.bytes;
      }
      if (isCheck) continue;
      const tight = { ...free, maxBytes: Math.round(full * 0.6) };
      for (let round = 0; round < ROUNDS; round++)
        duels.push(await runDuel(`${name}, the size is limited`, source, tight, round));
    }
    writeSection('video-handbrake', duelReport(duels), duelFigures(duels));
  } else {
    console.log('HandBrakeCLI is not installed: nothing to compare with.');
    if (isCheck) process.exitCode = NO_PEER;
  }
  if (!isCheck && process.env['BENCH_CORPUS'] !== 'skip')
    writeSection('video-corpus', corpusReport(await runCorpus(screen)));
} finally {
  rmSync(work, { recursive: true, force: true });
}
