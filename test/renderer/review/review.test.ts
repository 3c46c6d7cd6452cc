/** The review of a recording with a real MP4 in real Chromium. */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ItemId, RecordingId } from '../../../src/api/ids.ts';
import type { CommandName } from '../../../src/ipc/protocol/command-table.ts';
import { tabStops } from '../../support/audit/page-audit.ts';
import { eventually } from '../../support/eventually.ts';
import { video } from '../../support/media/media.ts';
import { callsOf, windowForEachTest } from '../../support/window/window-for-each-test.ts';

const H264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 60 -movflags +faststart'.split(' ');

let page: Page;
windowForEachTest({
  context: { viewport: { width: 1024, height: 1400 } },
  // Ten seconds with a key frame every two, as makeReview says.
  recording: () => video('review.mp4', { seconds: 10, sounds: 0, args: H264 }),
  use: async (opened) => {
    page = opened;
    await page.evaluate(() => window.double.set({ recording: window.make.makeReview() }));
    await page.getByRole('heading', { name: 'Your recording' }).waitFor();
  },
});

const calls = (command: CommandName) => callsOf(page, command);
const asked = (command: CommandName, inputs: unknown[]) =>
  eventually(async () => expect(await calls(command)).toEqual(inputs));
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const slider = (name: string) => page.getByRole('slider', { name });
const stands = (name: string, ms: number) =>
  eventually(async () => expect(await slider(name).getAttribute('aria-valuenow')).toBe(String(ms)));
const isShown = (text: string | RegExp) => page.getByText(text).first().waitFor();
const id = () => page.evaluate(() => window.make.makeReview().id);
/** What publishing answers; the recording then is no more. */
const acceptPublish = () =>
  page.evaluate(() => {
    const { double, make } = window;
    double.answer('recording.publish', () => {
      double.set({ recording: null });
      return { item: make.itemId(1) };
    });
  });

it('comes by itself, is found again from other screens, and leaves when it is published', async () => {
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  await isShown('The recording Recording 2026-11-20 12.00.00.mp4 is ready for review');
  await button('Review').click();
  await acceptPublish();
  await button('Share').click();
  const cut = { startMs: 0, endMs: null, form: 'video' };
  await asked('recording.publish', [{ id: await id(), cut, share: { title: 'Recording 2026-11-20 12.00.00' } }]);
  await page.getByText('Drop files here').waitFor();
});

it('plays the recording, and stops where the kept part ends', async () => {
  const element = page.locator('video');
  await eventually(async () => expect(await element.evaluate((video: HTMLVideoElement) => video.duration)).toBe(10));
  await slider('Start').focus();
  await page.keyboard.press('End');
  await stands('Start', 9_800);
  await button('Play').click();
  await eventually(async () =>
    expect(
      await element.evaluate((video: HTMLVideoElement) => [video.paused, Math.round(video.currentTime * 10)]),
    ).toEqual([true, 100]),
  );
});

it('plays a loop again from the start of the kept part', async () => {
  const element = page.locator('video');
  await eventually(async () => expect(await element.evaluate((video: HTMLVideoElement) => video.duration)).toBe(10));
  await page.getByText('Short loop').click();
  await slider('Start').focus();
  await page.keyboard.press('End');
  await stands('Start', 9_800);
  await element.evaluate((video) => {
    const counted = Object.assign(window, { returns: 0 });
    video.addEventListener('seeked', () => {
      counted.returns += 1;
    });
  });
  await button('Play').click();
  const returns = () => page.evaluate(() => (window as unknown as { returns: number }).returns);
  // The first may be the one to the start.
  await eventually(async () => expect(await returns()).toBeGreaterThan(2));
});

it('trims with the keyboard: by frames, by seconds, and where the player is', async () => {
  await slider('Start').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await stands('Start', 1_000);
  await page.keyboard.press('ArrowRight');
  await stands('Start', 1_033);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await stands('Start', 0);
  await slider('Position').focus();
  await page.keyboard.press('PageUp');
  await stands('Position', 5_000);
  await page.keyboard.press('i');
  await stands('Start', 5_000);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('o');
  await stands('End', 6_000);
  await isShown('0:01.0 long');
  expect(await slider('End').getAttribute('aria-valuetext')).toBe('0:06.0');
});

it('trims with the mouse', async () => {
  const track = await page.getByRole('group', { name: 'Trim' }).boundingBox();
  const end = await slider('End').boundingBox();
  if (!track || !end) throw new Error('The line is not drawn.');
  const y = track.y + track.height / 2;
  await page.mouse.move(end.x + end.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width * 0.4, y, { steps: 4 });
  await page.mouse.up();
  await eventually(async () =>
    expect(Math.abs(Number(await slider('End').getAttribute('aria-valuenow')) - 4_000)).toBeLessThan(30),
  );
});

it('shows the cost of the cut, and offers the nearest position without a cost', async () => {
  await isShown('Lossless cut');
  await slider('Start').focus();
  for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowRight');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await isShown(/Re-encodes 1.9\s*s/);
  await button('Start at 0:02.0 instead').click();
  await stands('Start', 2_000);
  await isShown('Lossless cut');
  await acceptPublish();
  await button('Share').click();
  await eventually(async () =>
    expect(await calls('recording.publish')).toMatchObject([{ cut: { startMs: 2_000, endMs: null, form: 'video' } }]),
  );
});

it('publishes with the chosen name, form and link', async () => {
  await page.getByRole('textbox', { name: 'Title' }).fill('The new checkout');
  await page.getByText('Short loop').click();
  await page.getByText('Private', { exact: true }).click();
  await page.getByText('1 day').click();
  await isShown('Uploads to share.example.com.');
  await acceptPublish();
  await button('Share').click();
  const share = { title: 'The new checkout', visibility: 'private', ttl: 'day' };
  await asked('recording.publish', [{ id: await id(), cut: { startMs: 0, endMs: null, form: 'loop' }, share }]);
});

it('keeps what was trimmed away, the name, form and link while another screen is shown', async () => {
  await slider('Start').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await stands('Start', 1_000);
  await page.getByRole('textbox', { name: 'Title' }).fill('The new checkout');
  await page.getByText('Short loop').click();
  await page.getByText('Private', { exact: true }).click();
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  await button('Review').click();
  await stands('Start', 1_000);
  await acceptPublish();
  await button('Share').click();
  const share = { title: 'The new checkout', visibility: 'private' };
  await asked('recording.publish', [{ id: await id(), cut: { startMs: 1_000, endMs: null, form: 'loop' }, share }]);
});

it('has its keys also in the radio buttons of its form, which keep their own', async () => {
  const form = (name: string) => page.getByRole('radio', { name });
  await page.getByText('Short loop').click();
  await slider('Position').press('Shift+ArrowRight');
  await form('Short loop').press('i');
  await stands('Start', 1_000);
  await form('Short loop').press('ArrowUp');
  await eventually(async () => expect(await form('Video').isChecked()).toBe(true));
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Space');
  await button('Play').waitFor();
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  await page.getByRole('switch', { name: 'One-time link' }).press('Space');
  await eventually(async () =>
    expect(await page.getByRole('switch', { name: 'One-time link' }).isChecked()).toBe(true),
  );
});

it('shows the link of the default preset, and a one-time link is not public', async () => {
  await page.evaluate(() => {
    const { double } = window;
    const preset = { id: 'p', name: 'Open', link: { visibility: 'public' as const, ttl: 'week' as const } };
    double.set({ settings: { ...double.state().settings, presets: [preset], defaultPreset: 'p' } });
  });
  for (const name of ['Public', '1 week'])
    await eventually(async () => expect(await page.getByRole('radio', { name }).isChecked()).toBe(true));
  await page.getByRole('switch', { name: 'One-time link' }).press('Space');
  await eventually(async () => expect(await page.getByRole('radio', { name: 'Unlisted' }).isChecked()).toBe(true));
  await acceptPublish();
  await button('Share').click();
  await eventually(async () =>
    expect(await calls('recording.publish')).toMatchObject([{ share: { oneTime: true, visibility: 'unlisted' } }]),
  );
});

it('keeps everything and explains what to do where it cannot be published', async () => {
  await page.evaluate(() => window.double.failNext('recording.publish', { code: 'DISK_FULL', detail: '' }));
  await button('Share').click();
  await page.getByRole('alert').waitFor();
  await isShown('This computer’s disk is full');
  await button('Share').waitFor();
});

it('explains what failed where its review was closed while it was trimmed', async () => {
  await page.evaluate(() => window.double.failNext('recording.publish', { code: 'DISK_FULL', detail: '' }));
  await button('Share').click();
  await page.evaluate(() => window.double.set({ recording: { state: 'finishing', id: window.make.makeReview().id } }));
  await page.getByText('Drop files here').waitFor();
  await page.evaluate(() => window.double.set({ recording: window.make.makeReview() }));
  await isShown('This computer’s disk is full');
});

it('says that another window has published it, with other settings', async () => {
  await page.evaluate(() => {
    const { double } = window;
    double.failNext('recording.publish', { code: 'CAPTURE_GONE', detail: '', params: { place: 'queue' } });
  });
  await button('Share').click();
  await page.evaluate(() => window.double.set({ recording: null }));
  await page.getByText('Drop files here').waitFor();
  await isShown('This recording has already been shared, with other settings');
});

it('asks before it discards', async () => {
  await button('Discard').click();
  await isShown('Discard permanently? It hasn’t been shared yet.');
  await button('Keep it').click();
  expect(await calls('recording.discard')).toEqual([]);
  await button('Discard').click();
  await button('Discard the recording').click();
  await asked('recording.discard', [{ id: await id() }]);
  await page.getByText('Drop files here').waitFor();
});

it('reports once that a recording was found after a crash', async () => {
  await page.evaluate(() =>
    window.double.set({
      recording: window.make.makeReview({ isRecovered: true }),
      notices: [{ code: 'RECORDING_RECOVERED', detail: '' }],
    }),
  );
  await isShown('Up to three seconds at the end may be missing.');
  const lost = page.getByText('Up to three seconds at the end may be missing.');
  await eventually(async () => expect(await lost.count()).toBe(1));
  await page.getByRole('link', { name: 'Library' }).click();
  await isShown('An interrupted recording was recovered');
});

it('saves a copy of the whole recording', async () => {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save a copy' }).click();
  expect((await download).suggestedFilename()).toBe('Recording 2026-11-20 12.00.00.mp4');
});

it('is wholly reached by the keyboard, and its place is always seen', async () => {
  const stops = await tabStops(page);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  const names = stops.map(({ name }) => name);
  for (const name of ['Position', 'Start', 'End', 'Play', 'Start here', 'End here', 'Discard', 'Save a copy', 'Share'])
    expect(names).toContain(name);
});

it('makes an animated image: tells its size first, shows the progress, stops, saves, and shares a WebP', async () => {
  await page.evaluate(() => {
    const { double } = window;
    double.answer('animation.predict', ({ options }) => ({
      ...{ format: options.format, width: options.width ?? 1_280, height: 450 },
      ...{ frames: 150, bytes: 1_500_000 },
    }));
  });
  await page.getByText('Animated image').click();
  await isShown(/800 × 450, 150 frames, about 1\.4\s*MB/);
  await button('Frames per second: 15 frames per second').click();
  await page.getByRole('menuitemradio', { name: '10 frames per second' }).click();
  const options = { format: 'webp', fps: 10, width: 800, plays: 0, startMs: 0, endMs: null };
  await eventually(async () => expect((await calls('animation.predict')).at(-1)).toEqual({ id: await id(), options }));

  const release = await page.evaluateHandle(() => {
    const saved = Promise.withResolvers<{ savedTo: string }>();
    window.double.answer('animation.save', () => saved.promise);
    return saved;
  });
  await button('Save image').click();
  await page.evaluate(() => window.double.emit({ type: 'animating', part: 0.4 }));
  await eventually(async () =>
    expect(await page.getByRole('progressbar', { name: 'Making the image' }).getAttribute('aria-valuetext')).toBe(
      '40%',
    ),
  );
  expect(await button('Share').isDisabled()).toBe(true);
  await button('Cancel').click();
  await asked('animation.stop', [{}]);
  await release.evaluate(({ resolve }) => resolve({ savedTo: '/home/anna/Pictures/demo.webp' }));
  await isShown('Saved as /home/anna/Pictures/demo.webp');

  await page.getByText('GIF', { exact: true }).click();
  await isShown('A GIF can’t be uploaded.');
  expect(await button('Share').isDisabled()).toBe(true);
  await page.getByText('WebP', { exact: true }).click();
  await page.evaluate(() => {
    const { double, make } = window;
    double.answer('animation.publish', () => {
      double.set({ recording: null });
      return { item: make.itemId(1) };
    });
  });
  await button('Share').click();
  const share = { title: 'Recording 2026-11-20 12.00.00' };
  await asked('animation.publish', [{ id: await id(), options, share }]);
  await page.getByText('Drop files here').waitFor();
});

it('stops an animated image when another form is chosen, and shares nothing until it has stopped', async () => {
  const release = await page.evaluateHandle(() => {
    const published = Promise.withResolvers<{ item: ItemId }>();
    window.double.answer('animation.publish', () => published.promise);
    return published;
  });
  await page.getByText('Animated image').click();
  await button('Share').click();
  await page.getByRole('progressbar', { name: 'Making the image' }).waitFor();
  await page.getByText('Video', { exact: true }).click();
  await asked('animation.stop', [{}]);
  await page.getByRole('link', { name: 'Save a copy' }).waitFor();
  expect(await Promise.all([button('Share'), button('Discard')].map((one) => one.isDisabled()))).toEqual([true, true]);
  await release.evaluate(({ resolve }) => resolve({ item: window.make.itemId(1) }));
  await eventually(async () => expect(await button('Share').isDisabled()).toBe(false));
});

/** Whether each of these can be changed no more. */
const areFixed = () =>
  Promise.all(
    [
      page.getByRole('textbox', { name: 'Title' }),
      ...['Private', '1 week'].map((name) => page.getByRole('radio', { name })),
      page.getByRole('switch', { name: 'One-time link' }),
    ].map((field) => field.isDisabled()),
  );
const FIXED = [true, true, true, true];

it('lets neither the name nor the link be changed while it is published, also after another screen', async () => {
  const release = await page.evaluateHandle(() => {
    const published = Promise.withResolvers<{ item: ItemId }>();
    window.double.answer('recording.publish', () => published.promise);
    return published;
  });
  await button('Share').click();
  await eventually(async () => expect(await areFixed()).toEqual(FIXED));
  expect(await page.getByRole('radio', { name: 'Short loop' }).isDisabled()).toBe(true);
  await isShown('It’s being shared with these settings.');
  await page.getByRole('link', { name: 'Library' }).click();
  await button('Review').click();
  await page.getByRole('heading', { name: 'Your recording' }).waitFor();
  expect(await areFixed()).toEqual(FIXED);
  await release.evaluate(({ resolve }) => resolve({ item: window.make.itemId(1) }));
  await eventually(async () => expect(await areFixed()).toEqual(FIXED.map(() => false)));
});

it('lets neither the link nor the image be changed while the image is published, only while it is saved', async () => {
  const release = await page.evaluateHandle(() => {
    const saved = Promise.withResolvers<{ savedTo: string }>();
    const published = Promise.withResolvers<{ item: ItemId }>();
    window.double.answer('animation.save', () => saved.promise);
    window.double.answer('animation.publish', () => published.promise);
    return { saved, published };
  });
  const making = page.getByRole('progressbar', { name: 'Making the image' });
  const width = button('Width: 800 pixels wide');
  await slider('Position').press('End');
  const range = await Promise.all(['Start', 'End'].map((name) => slider(name).getAttribute('aria-valuenow')));
  await page.getByText('Animated image').click();
  await button('Save image').click();
  await making.waitFor();
  expect([...(await areFixed()), await width.isDisabled()]).not.toContain(true);
  await release.evaluate(({ saved }) => saved.resolve({ savedTo: '/home/anna/Pictures/demo.webp' }));
  await making.waitFor({ state: 'detached' });
  await button('Share').click();
  await making.waitFor();
  await eventually(async () => expect(await areFixed()).toEqual(FIXED));
  const ofImage = [width, page.getByRole('radio', { name: 'GIF' })];
  expect(await Promise.all(ofImage.map((field) => field.isDisabled()))).toEqual([true, true]);
  // What is cut away would be published otherwise, and its recording is deleted.
  await slider('Position').press('PageUp');
  await page.keyboard.press('o');
  await slider('Start').press('PageDown');
  expect(await Promise.all(['Start', 'End'].map((name) => slider(name).getAttribute('aria-valuenow')))).toEqual(range);
  expect(await Promise.all(['Start here', 'End here'].map((name) => button(name).isDisabled()))).toEqual([true, true]);
  // Another form stops it.
  expect(await page.getByRole('radio', { name: 'Video' }).isDisabled()).toBe(false);
  await release.evaluate(({ published }) => published.resolve({ item: window.make.itemId(1) }));
  await eventually(async () => expect(await areFixed()).toEqual(FIXED.map(() => false)));
});

it('finds the image that is being made again, however much was kept, and can cancel it', async () => {
  await page.evaluate(() =>
    window.double.set({
      recording: window.make.makeReview({ id: 'a-longer-one' as RecordingId, durationMs: 121_000 }),
    }),
  );
  await page.evaluate(() => window.double.answer('animation.save', () => new Promise(() => {})));
  await page.getByText('Animated image').click();
  await button('Frames per second: 15 frames per second').click();
  await page.getByRole('menuitemradio', { name: '10 frames per second' }).click();
  await button('Save image').click();
  await page.getByRole('progressbar', { name: 'Making the image' }).waitFor();
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  await button('Review').click();
  await page.getByRole('progressbar', { name: 'Making the image' }).waitFor();
  expect(await calls('animation.stop')).toEqual([]);
  expect(await button('Share').isDisabled()).toBe(true);
  await button('Cancel').click();
  await asked('animation.stop', [{}]);
});

it('says when an animated image would have too many frames', async () => {
  await page.evaluate(() =>
    window.double.set({
      recording: window.make.makeReview({ id: 'a-longer-one' as RecordingId, durationMs: 121_000 }),
    }),
  );
  await page.getByText('Animated image').click();
  await isShown('That’s 1815 frames, and an animated image can have up to 1800.');
  expect(await Promise.all([button('Share'), button('Save image')].map((one) => one.isDisabled()))).toEqual([
    true,
    true,
  ]);
});
