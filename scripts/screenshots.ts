/**
 * `npm run screenshots`: makes the pictures of docs/images from the built app in real Chromium and from the real
 * server. `--width 480 --into DIR` renders them at another width, for review only.
 *
 * `npm run scenes` (`--matrix out/scenes`) instead renders every scene in both themes and languages, most at three
 * widths, and makes a page that shows them side by side. `-- --only TEXT` limits either command to names that contain
 * TEXT.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import sharp from 'sharp';
import { pixelsOf } from '../test/support/media/pixels.ts';
import { PIN } from '../test/support/window/page-transport.ts';
import { type RendererPages, startRendererPages } from '../test/support/window/renderer-page.ts';
import { preferFace } from './screenshots/font.ts';
import { writeGallery } from './screenshots/gallery.ts';
import { drawMatrix } from './screenshots/matrix.ts';
import { CHART, DESKTOP, drawDesktop } from './screenshots/sample-desktop.ts';
import { startSharePages, takeSharePages } from './screenshots/share-pages.ts';
import { drawThumbnails } from './screenshots/thumbnails.ts';
import { EDITED_PICTURE, FROZEN_SCREEN, type Shot, WINDOW_SHOTS } from './screenshots/window-shots.ts';

const { values } = parseArgs({
  options: {
    width: { type: 'string', default: String(DESKTOP.width) },
    into: { type: 'string', default: resolve(import.meta.dirname, '../docs/images') },
    matrix: { type: 'string' },
    only: { type: 'string' },
  },
});
const folder = values.into;
const width = Number(values.width);
const isWanted = ({ name }: { readonly name: string }) => values.only === undefined || name.includes(values.only);

/** Windows need few colours, which saves three quarters of the bytes. */
const keep = async (name: string, picture: Buffer): Promise<void> => {
  const small = await sharp(picture).png({ palette: true, quality: 92, effort: 10, compressionLevel: 9 }).toBuffer();
  writeFileSync(join(folder, `${name}.png`), small);
  console.log(`${name}.png  ${Math.ceil(small.length / 1024)} KiB`);
};

/** A small window on the desktop: a toast at the lower right corner, the recorder bar at the top centre, a pin. */
const onDesktop = async (desktop: Buffer, notice: Buffer, which: 'toast' | 'recorder' | 'pin'): Promise<Buffer> => {
  const { width = 0, height = 0 } = await sharp(notice).metadata();
  const { left, top } = {
    toast: { left: DESKTOP.width - width - 16, top: DESKTOP.height - height - 16 },
    recorder: { left: Math.round((DESKTOP.width - width) / 2), top: 40 },
    pin: { left: 640, top: 96 },
  }[which];
  const whole = await sharp(desktop)
    .composite([{ input: notice, left, top }])
    .png()
    .toBuffer();
  const seen = { toast: { left: 560, top: 320 }, recorder: { left: 280, top: 0 }, pin: { left: 560, top: 60 } }[which];
  return sharp(whole)
    .extract({ ...seen, width: 720, height: 480 })
    .png()
    .toBuffer();
};

/** Ten seconds of the desktop with a key frame every two, as the review screen shows. */
const makeRecording = async (desktop: Buffer, path: string): Promise<void> => {
  const still = join(work, 'desktop.png');
  writeFileSync(still, desktop);
  const look = [
    '-loop',
    '1',
    '-framerate',
    '30',
    '-t',
    '10',
    '-i',
    still,
    '-vf',
    'crop=1280:720:0:32',
    '-pix_fmt',
    'yuv420p',
  ];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-movflags', '+faststart'];
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-nostdin', ...look, ...coding, path]);
};

/** Widths of these windows in the desktop app. */
const PANEL_WIDTHS = { toast: 416, recorder: 464, pin: 447 } as const;

const take = async (
  pages: RendererPages,
  shot: Shot,
  desktop: Buffer,
  thumbnails: readonly Buffer[],
): Promise<Buffer> => {
  const { which, theme, language, height = DESKTOP.height } = shot;
  const panel = which === 'toast' || which === 'recorder' || which === 'pin' ? which : null;
  const size = panel
    ? { width: PANEL_WIDTHS[panel], height: panel === 'pin' ? 201 : 600 }
    : which === 'overlay'
      ? DESKTOP
      : { width, height };
  const options = {
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
  } as const;
  const { page, problems } = await pages.open(options, which);
  await page.route('**/thumbnails/**', (route) => {
    const number = Number(/(\d+)(?:\D*)$/.exec(new URL(route.request().url()).pathname)?.[1] ?? 0);
    const body = thumbnails[number % thumbnails.length];
    return body ? route.fulfill({ contentType: 'image/png', body }) : route.abort();
  });
  await page.evaluate((chosen) => {
    const { double } = window;
    double.set({ settings: { ...double.state().settings, language: chosen } });
  }, language);
  await shot.prepare(page);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  const picture = panel
    ? await onDesktop(desktop, await page.getByRole('main').screenshot({ omitBackground: true }), panel)
    : await page.screenshot();
  if (problems.length > 0) throw new Error(`${shot.name}: ${problems.join('; ')}`);
  await page.context().close();
  return picture;
};

const work = mkdtempSync(join(tmpdir(), 'linkshot-screenshots-'));
if (values.matrix === undefined) mkdirSync(folder, { recursive: true });
preferFace(work);
const recording = join(work, 'recording.mp4');
const pages = await startRendererPages({ recording });

const takeAll = async (desktop: Buffer, dashboard: Buffer): Promise<void> => {
  pages.captures.set(FROZEN_SCREEN, (await pixelsOf(desktop)).data);
  pages.captures.set(EDITED_PICTURE, dashboard);
  const { x: left, y: top, ...size } = CHART;
  pages.captures.set(
    `pins/${PIN}`,
    await sharp(desktop)
      .extract({ left, top, ...size })
      .png()
      .toBuffer(),
  );
  const thumbnails = await drawThumbnails(desktop, dashboard);
  for (const shot of WINDOW_SHOTS.filter(isWanted)) await keep(shot.name, await take(pages, shot, desktop, thumbnails));
  const shared = await startSharePages(dashboard);
  try {
    for (const { name, picture } of await takeSharePages(pages.browser, shared, width))
      if (isWanted({ name })) await keep(name, picture);
  } finally {
    await shared.stop();
  }
};

try {
  const { desktop, dashboard } = await drawDesktop(pages.browser);
  await makeRecording(desktop, recording);
  if (values.matrix === undefined) await takeAll(desktop, dashboard);
  else {
    await drawMatrix({ pages, picture: dashboard, folder: values.matrix, isWanted });
    console.log(`All scenes: ${writeGallery(resolve(values.matrix))}`);
  }
} finally {
  await pages.close();
  await pages.browser.close();
  rmSync(work, { recursive: true, force: true });
}
