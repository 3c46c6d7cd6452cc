/**
 * A process that records a region of the screen until it is killed: `recording-process.ts PROFILE X,Y,W,H [PAUSE]`. It
 * prints the start of the current segment in milliseconds since 1970; with PAUSE it pauses after so many and resumes;
 * with CAMERA in the environment, arguments by which ffmpeg opens one, it shows that camera.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openBareEngine } from './bare-engine.ts';

const [profileDir = '', area = '', pause] = process.argv.slice(2);
const [x = 0, y = 0, width = 0, height = 0] = area.split(',').map(Number);
const never = new AbortController().signal;

const camera = JSON.parse(process.env['CAMERA'] ?? 'null') as readonly string[] | null;
const cameras = { list: async () => (camera === null ? [] : [{ name: 'Test camera', input: camera }]) };

const engine = await openBareEngine(profileDir, { cameras });
const target = { mode: 'region', area: { x, y, width, height } } as const;
const request = { target, sound: 'none', pointer: 'hide', countdownSeconds: 0 } as const;
const shown = camera === null ? {} : ({ camera: { name: null, corner: 'bottom-left' } } as const);
const started = await engine.recording.start({ ...request, ...shown }, never);
if (!started.ok) throw new Error(started.error.detail);
if (pause) {
  await delay(Number(pause));
  await engine.recording.pause();
  await engine.recording.resume();
}
const { recording } = engine.state();
if (recording?.state !== 'recording') throw new Error('Nothing is recorded.');
// Killed from outside, or asked to end.
process.on('SIGTERM', () => void engine.close().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ since: recording.since, before: recording.recordedMs })}\n`);
setInterval(() => {}, 1_000);
