/** Scenes of captures and recordings: toasts, recorder bar, review and settings. */
import type { Page } from 'playwright-core';
import { withLongPatience } from './long-patience.ts';

type Scene = (page: Page) => Promise<void>;

const settled = (page: Page) =>
  page.evaluate(() => {
    const { make, double } = window;
    const { capabilities } = make.makeState();
    double.setLink('up');
    double.set({
      ...{ connection: make.connected(), accounts: [], authorization: null, notices: [] },
      ...{ capture: null, recording: null, queue: { items: [], live: {}, paused: false } },
      capabilities: { ...capabilities, overlay: 'page', tray: true },
    });
  });

const PREVIEW = { width: 320, height: 480 };

/** Lines of text on paper. */
const servePreview = (page: Page) => {
  const { width, height } = PREVIEW;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 24; x < (y % 96 < 14 ? 200 : 290); x++)
      if (y % 16 < 6) data.set(y % 96 < 14 ? [40, 60, 140] : [120, 120, 120], (y * width + x) * 4);
  return page.route('**/captures/*/0', (route) =>
    route.fulfill({ contentType: 'application/octet-stream', body: Buffer.from(data) }),
  );
};

const previewIsDrawn = (page: Page) =>
  page.waitForFunction(
    (height) => document.querySelector('canvas[role=img]')?.getAttribute('height') === `${height}`,
    PREVIEW.height,
  );

export const CAPTURE_SCENES: Readonly<Record<string, Scene>> = {
  captures: async (page) => {
    await settled(page);
    // The notice of a link leaves by itself after some seconds, unless its settings are open.
    await withLongPatience(page, async () => {
      await page.evaluate(() => {
        const { make, double } = window;
        const now = Date.now();
        const failure = { code: 'QUOTA_EXCEEDED', detail: '' } as const;
        const made = (number: number) => ({ createdAt: now + number, origin: 'capture' as const });
        const name = `${'a-long-title-'.repeat(5)}.png`;
        const sending = make.makeItem('started', 2, { ...made(2), name, size: 4 * make.MIB });
        const items = [
          sending,
          make.makeItem('started', 4, { ...made(4), error: { failure, since: now, retryAt: null } }),
          make.makeItem('linked', 6, made(6)),
          make.makeItem('queued', 7, made(7)),
        ];
        const live = { activity: 'sending', doneBytes: make.MIB, bytesPerSecond: make.MIB, secondsLeft: 3 } as const;
        double.set({ queue: { items, live: { [sending.id]: live }, paused: false } });
      });
      await page.getByRole('list', { name: /Captures|Снимки/ }).waitFor();
      const options = page.getByRole('button', { name: /(Link settings of|Настройки ссылки на) shot-6.png/ });
      if ((await options.getAttribute('aria-expanded')) !== 'true') await options.click();
    });
  },

  recording: async (page) => {
    await settled(page);
    await page.evaluate(() => window.double.set({ recording: window.make.makeRunning(Date.now()) }));
    await page.getByRole('timer').waitFor();
  },

  discarding: async (page) => {
    await settled(page);
    await page.evaluate(() => window.double.set({ recording: window.make.makeRunning(null) }));
    await page.getByRole('button', { name: /Discard the recording|Удалить запись/ }).click();
  },

  scrolling: async (page) => {
    await settled(page);
    await servePreview(page);
    await page.evaluate(() => window.double.set({ capture: window.make.makeScrolling() }));
    await previewIsDrawn(page);
  },

  'scrolling by hand': async (page) => {
    await settled(page);
    await servePreview(page);
    const change = { by: 'user', note: 'nothing-matches', canUndo: false } as const;
    await page.evaluate((given) => window.double.set({ capture: window.make.makeScrolling(given) }), change);
    await previewIsDrawn(page);
  },

  'scrolled to the end': async (page) => {
    await settled(page);
    await servePreview(page);
    const change = { by: 'ended', isExact: false } as const;
    await page.evaluate((given) => window.double.set({ capture: window.make.makeScrolling(given) }), change);
    await previewIsDrawn(page);
  },

  countdown: async (page) => {
    await settled(page);
    await page.evaluate(() => {
      const startsAt = Date.now() + 60_000;
      window.double.set({ capture: { state: 'waiting', mode: 'region', purpose: 'picture', startsAt } });
    });
    await page.getByRole('timer').waitFor();
  },

  review: async (page) => {
    await settled(page);
    await page.evaluate(() => window.double.set({ recording: window.make.makeReview({ isRecovered: true }) }));
    await page.getByRole('slider').first().waitFor();
    await page.getByRole('slider', { name: /Start|Начало/ }).press('Shift+ArrowRight');
    await page.getByRole('button', { name: /^(Discard|Удалить)$/ }).click();
  },

  captureSettings: async (page) => {
    await settled(page);
    await page.evaluate(() => {
      const { double } = window;
      const { settings } = double.state();
      const plain = { accelerator: null, state: 'off', bound: null, pressedAt: null, failure: null } as const;
      const params = { by: 'snipping-tool', offer: 'Control+PrintScreen' };
      const failure = { code: 'HOTKEY_TAKEN', detail: '', params } as const;
      double.set({
        settings: {
          ...settings,
          hotkeys: { ...settings.hotkeys, window: 'PrintScreen', record: 'Control+Shift+R' },
          afterCapture: { publish: false, copyPicture: false, save: false },
          nameTemplate: '{title} {date}',
          recordingCamera: 'HD Pro Webcam C920',
        },
        hotkeys: {
          way: 'portal',
          command: 'linkshot capture --select',
          commandPlace: 'settings',
          shortcut: 'none',
          replacesSnippingTool: false,
          keys: [
            { ...plain, action: 'region', accelerator: 'Control+PrintScreen', state: 'asked', pressedAt: Date.now() },
            { ...plain, action: 'window', accelerator: 'PrintScreen', state: 'refused', failure },
            { ...plain, action: 'record', accelerator: 'Control+Shift+R', state: 'asked' },
          ],
        },
      });
      location.hash = '#settings';
    });
    await page
      .getByText(/Hotkeys|Горячие клавиши/)
      .first()
      .waitFor();
  },

  'text being read': async (page) => {
    await settled(page);
    await page.evaluate(() => {
      const { double, make } = window;
      const { id } = make.makeReview();
      double.emit({ type: 'captureText', id: id as never, found: { state: 'reading' } });
      double.emit({ type: 'reading', reading: id, part: 0.4 });
    });
    await page.getByRole('progressbar', { name: /Text recognition progress|Ход распознавания текста/ }).waitFor();
  },

  'text read': async (page) => {
    await page.evaluate(() => {
      const { double, make } = window;
      const { id } = make.makeReview();
      const at = { x: 10, y: 10, width: 100, height: 100 };
      const long = `https://tickets.example.com/order/1284?${'a-long-parameter='.repeat(12)}`;
      const content = {
        text: `Order 1284 is ready\n${'Pick it up before noon '.repeat(12)}`,
        words: [],
        codes: [
          { ...at, format: 'QRCode', text: long },
          { ...at, y: 300, format: 'EAN-13', text: '4006381333931' },
        ],
        missing: ['rus' as const],
      };
      double.emit({ type: 'captureText', id: id as never, found: { state: 'read', content, copied: true } });
    });
    await page.getByText(/words copied|Скопировано:/).waitFor();
  },

  'codes of a picture': async (page) => {
    await page.getByRole('button', { name: /^(Show 2 codes|Показать 2 кода)$/ }).click();
    await page.getByText('4006381333931').waitFor();
  },

  'codes again closed': async (page) => {
    await page.getByRole('button', { name: /^(Close|Закрыть)$/ }).click();
    await page.getByText('4006381333931').waitFor({ state: 'detached' });
  },
};
