/** Footage for the video benchmark: a real recording of a screen, lossless, and pictures as a camera stores them. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOSSLESS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'];
/** About 60 Mbit/s: the grain is kept, as a good camera does. */
const CAMERA = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10'];
const WIDTH = 1_280;
const HEIGHT = 720;

/** A page with what screens show: text that scrolls and is typed, a chart that grows, a window that is dragged. */
const PAGE = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; font: 15px/1.5 DejaVu Sans, sans-serif; background: #fff; color: #222; overflow: hidden }
#text { width: 56%; padding: 16px; box-sizing: border-box }
#code { position: fixed; right: 0; top: 0; width: 44%; height: 60%; background: #1e1e2e; color: #cdd6f4; font: 14px/1.4 DejaVu Sans Mono, monospace; padding: 12px; box-sizing: border-box; white-space: pre-wrap }
#chart { position: fixed; right: 0; bottom: 0; width: 44%; height: 40%; background: #f4f6fb }
#box { position: fixed; width: 260px; height: 150px; background: #fff; border: 1px solid #888; box-shadow: 0 8px 30px #0005; border-radius: 8px; padding: 12px }
</style><div id="text"></div><div id="code"></div><canvas id="chart" width="560" height="290"></canvas><div id="box">A window that is dragged</div><script>
const words = 'capture region upload link share quota part hash retry queue frame bitrate limit encrypt album note folder'.split(' ');
let seed = 7; const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const sentence = () => Array.from({ length: 14 }, () => words[Math.floor(next() * words.length)]).join(' ') + '. ';
document.getElementById('text').innerHTML = Array.from({ length: 120 }, (_, i) => '<h3>Section ' + i + '</h3><p>' + sentence() + sentence() + sentence() + '</p>').join('');
const source = Array.from({ length: 400 }, (_, i) => 'const ' + words[i % 17] + i + ' = await ' + words[(i * 5) % 17] + '(' + i + ');').join('\\n');
const code = document.getElementById('code'), box = document.getElementById('box'), paint = document.getElementById('chart').getContext('2d');
let typed = 0, bars = [];
const begun = performance.now();
const draw = () => {
  const t = (performance.now() - begun) / 1000;
  // Users scroll in bursts and pause between them.
  scrollTo(0, Math.floor(t / 3) * 420 + 420 * Math.min(1, (t % 3) / 0.8));
  typed = Math.floor(t * 14); code.textContent = source.slice(Math.max(0, typed - 900), typed) + '\\u2588';
  box.style.left = 200 + 180 * Math.sin(t * (t % 10 < 4 ? 1.2 : 0)) + 'px'; box.style.top = 300 + 120 * Math.cos(t * (t % 10 < 4 ? 0.9 : 0)) + 'px';
  if (bars.length < t * 2) { bars.push(next()); paint.clearRect(0, 0, 560, 290); bars.slice(-50).forEach((bar, i) => { paint.fillStyle = 'hsl(' + i * 9 + ' 60% 55%)'; paint.fillRect(i * 11, 280 - bar * 250, 8, bar * 250); }); }
  requestAnimationFrame(draw);
};
draw();
</script>`;

const freeDisplay = (): number => {
  for (let display = 90; display < 200; display++) if (!existsSync(`/tmp/.X11-unix/X${display}`)) return display;
  throw new Error('No X display is free.');
};

/** Records Chromium on a screen of its own for `seconds`. */
export const recordScreen = async (path: string, seconds: number): Promise<void> => {
  const profile = mkdtempSync(join(tmpdir(), 'linkshot-bench-screen-'));
  const page = join(profile, 'page.html');
  writeFileSync(page, PAGE);
  const display = `:${freeDisplay()}`;
  const screen = spawn('Xvfb', [display, '-screen', '0', `${WIDTH}x${HEIGHT}x24`, '-nolisten', 'tcp'], {
    stdio: 'ignore',
  });
  await delay(1_500);
  const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`, '--kiosk'];
  const window = [`--window-size=${WIDTH},${HEIGHT}`, '--window-position=0,0', `file://${page}`];
  const env = { ...process.env, DISPLAY: display };
  const browser = spawn('chromium', [...flags, ...window], { env, stdio: 'ignore', detached: true });
  try {
    await delay(6_000);
    const grab = ['-f', 'x11grab', '-framerate', '30', '-video_size', `${WIDTH}x${HEIGHT}`, '-i', display];
    const args = ['-v', 'error', '-nostdin', '-y', ...grab, '-t', String(seconds), ...LOSSLESS, path];
    execFileSync('ffmpeg', args, { stdio: 'inherit' });
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
    screen.kill('SIGTERM');
    await delay(500);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** Moving detail everywhere, a shaking camera, and sensor noise. */
export const filmCamera = (path: string, seconds: number): void => {
  const scene = `mandelbrot=size=1600x900:rate=30:start_scale=1.2:end_scale=0.2:end_pts=${seconds * 30}:maxiter=512`;
  const hand = `crop=${WIDTH}:${HEIGHT}:x='160+70*sin(n/23)+8*sin(n/3)':y='90+50*cos(n/31)+6*cos(n/4)'`;
  const args = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', scene, '-t', String(seconds)];
  const filters = ['-vf', `${hand},noise=alls=6:allf=t,format=yuv420p`];
  execFileSync('ffmpeg', [...args, ...filters, ...CAMERA, path], { stdio: 'inherit' });
};
