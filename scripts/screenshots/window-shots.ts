/**
 * Lists the pictures of the app's own pages for docs/images (window, overlay, toast, recorder bar), each with a
 * function that brings the page into the state to be shown.
 */
import type { Page } from 'playwright-core';
import { placeImage, toViewport } from '../../src/renderer/drawing/viewport.ts';
import { CAPTURE as EDITED, showCapture } from '../../test/support/window/editor-page.ts';
import { CAPTURE, makeChoosing, makeDisplay, makeWindow } from '../../test/support/window/frozen-desktop.ts';
import { ITEM_SCENES } from '../../test/support/window/item-scenes.ts';
import { freeze } from '../../test/support/window/overlay-page.ts';
import { SCENES } from '../../test/support/window/window-scenes.ts';
import { CHART, DASHBOARD, DESKTOP, SECRET, TALK } from './sample-desktop.ts';

export interface Shot {
  /** The file name without extension. */
  readonly name: string;
  readonly which: 'index' | 'overlay' | 'toast' | 'recorder' | 'pin';
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'ru';
  /** Of the window; 800 unless the screen needs more. */
  readonly height?: number;
  readonly prepare: (page: Page) => Promise<void>;
}

const settled = (page: Page, screen: 'home' | 'library' | 'settings' = 'home') =>
  page.evaluate((name) => {
    const { make, double } = window;
    const { capabilities } = make.makeState();
    const plain = { state: 'asked', bound: null, pressedAt: null, failure: null } as const;
    const none = { accelerator: null, state: 'off', bound: null, pressedAt: null, failure: null } as const;
    double.setLink('up');
    double.set({
      connection: make.connected(),
      capabilities: { ...capabilities, hotkey: true, overlay: 'page', tray: true, folders: true, pins: true },
      hotkeys: {
        way: 'electron',
        command: 'linkshot capture --select',
        commandPlace: 'settings',
        shortcut: 'none',
        replacesSnippingTool: false,
        keys: [
          { ...plain, action: 'region', accelerator: 'Control+PrintScreen', pressedAt: make.NOON },
          { ...plain, action: 'window', accelerator: 'Alt+PrintScreen' },
          { ...plain, action: 'screen', accelerator: 'Shift+PrintScreen' },
          { ...none, action: 'all' },
          { ...none, action: 'last' },
          { ...plain, action: 'record', accelerator: 'Control+Shift+R' },
        ],
      },
      settings: {
        ...double.state().settings,
        hotkeys: {
          ...{ region: 'Control+PrintScreen', window: 'Alt+PrintScreen', screen: 'Shift+PrintScreen' },
          ...{ all: null, last: null, record: 'Control+Shift+R' },
        },
      },
    });
    location.hash = `#${name}`;
  }, screen);

const home = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(() => {
    const { make, double } = window;
    const { MIB } = make;
    const isRussian = double.state().settings.language === 'ru';
    const words = isRussian
      ? ['Запись экрана 2026-11-20.mp4', 'Посетители за ноябрь.png', 'Над озером.png', 'Новая главная.png']
      : ['Screen recording 2026-11-20.mp4', 'Visitors in November.png', 'Above the lake.png', 'New start page.png'];
    const [recording = '', chart = '', lake = '', start = ''] = words;
    // The numbers choose the thumbnails.
    const film = make.makeItem('started', 15, { name: recording, size: 62.4 * MIB, position: 1 });
    const picture = make.makeItem('started', 12, { name: chart, size: 4.1 * MIB, position: 2 });
    const paused = { confirmedBytes: 4.4 * MIB, intent: 'pause' } as const;
    const items = [
      film,
      picture,
      make.makeItem('started', 1, { name: lake, size: 9.5 * MIB, position: 3, ...paused }),
      make.makeItem('linked', 3, { name: start }),
    ];
    const live = {
      [film.id]: { activity: 'sending', doneBytes: 24 * MIB, bytesPerSecond: 3.4 * MIB, secondsLeft: 12 },
      [picture.id]: { activity: 'sending', doneBytes: 2.9 * MIB, bytesPerSecond: 1.2 * MIB, secondsLeft: 1 },
    } as const;
    double.set({ queue: { items, live, paused: false } });
  });
  await page.getByRole('progressbar').first().waitFor();
};

const library = async (page: Page, look: 'list' | 'grid'): Promise<void> => {
  await page.evaluate((chosen) => {
    const { make, double } = window;
    const isRussian = double.state().settings.language === 'ru';
    const english = [
      ...['Visitors in November', 'Above the lake', 'The new parser', 'Start page, second draft'],
      ...['Evening in the hills', 'Answers of the team', 'Import script', 'Northern lights'],
      ...['In the woods', 'First snow', 'Release check', 'Dunes at noon'],
    ];
    const russian = [
      ...['Посетители за ноябрь', 'Над озером', 'Новый разборщик', 'Главная, второй набросок'],
      ...['Вечер в холмах', 'Ответы команды', 'Скрипт импорта', 'Северное сияние'],
      ...['В лесу', 'Первый снег', 'Проверка выпуска', 'Дюны в полдень'],
    ];
    const types = [
      ...(['IMAGE', 'IMAGE', 'PASTE', 'IMAGE', 'VIDEO', 'IMAGE'] as const),
      ...(['FOLDER', 'VIDEO', 'IMAGE', 'IMAGE', 'PASTE', 'IMAGE'] as const),
    ];
    const visibilities = ['unlisted', 'unlisted', 'public', 'private'] as const;
    double.set({ settings: { ...double.state().settings, libraryLook: chosen } });
    double.setLibrary(
      (isRussian ? russian : english).map((title, number) => ({
        ...make.makeLibraryItem(number, {
          title,
          type: types[number] ?? 'IMAGE',
          visibility: visibilities[number % visibilities.length] ?? 'unlisted',
          size: types[number] === 'PASTE' ? 3_400 + number * 211 : 96_000 + ((number * 347) % 1_900) * 2_048,
          createdAt: new Date(make.NOON - number * 8_460_000).toISOString(),
          views: (number * 7) % 23,
        }),
        linkedAt: make.NOON - number * 8_460_000,
      })),
    );
  }, look);
  await settled(page, 'library');
  await page.getByRole('listitem').first().waitFor();
};

const overlay = async (page: Page): Promise<void> => {
  await settled(page);
  const language = await page.evaluate(() => window.double.state().settings.language);
  const session = makeChoosing({
    id: CAPTURE,
    displays: [makeDisplay(DESKTOP)],
    windows: [makeWindow({ ...TALK, title: 'Team' }), makeWindow({ ...DASHBOARD, title: 'Northwind Metrics' })],
  });
  await freeze(page, session, 'windows', language === 'ru' ? 'ru' : 'en');
  await page.mouse.move(CHART.x, CHART.y);
  await page.mouse.down();
  await page.mouse.move(600, 500, { steps: 4 });
  // The magnifier is visible while the corner is dragged.
  await page.mouse.move(CHART.x + CHART.width - 1, CHART.y + CHART.height - 1, { steps: 4 });
};

const editor = async (page: Page): Promise<void> => {
  await settled(page);
  const { width, height } = DASHBOARD;
  await showCapture(page, { width, height });
  const canvas = page.locator('[data-canvas]');
  await canvas.waitFor();
  // The animation ends once the whole picture fits.
  await page.getByRole('application').waitFor();
  const box = await canvas.boundingBox();
  if (!box) throw new Error('The editor shows no picture.');
  const frame = { x: 0, y: 0, width, height };
  const middle = { x: width / 2, y: height / 2 };
  const placement = placeImage({ zoom: 'fit', centre: middle }, frame, {
    width: box.width,
    height: box.height,
    scale: 1,
  });
  /** Converts pixels of the desktop to the page. */
  const at = (x: number, y: number) => {
    const inside = toViewport({ x: x - DASHBOARD.x, y: y - DASHBOARD.y }, placement);
    return { x: box.x + inside.x, y: box.y + inside.y };
  };
  const drag = async (key: string, from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    await page.keyboard.press(key);
    const [a, b] = [at(...from), at(...to)];
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    await page.mouse.move(b.x, b.y);
    await page.mouse.up();
  };
  await drag('b', [SECRET.x, SECRET.y], [SECRET.x + SECRET.width, SECRET.y + SECRET.height]);
  await drag('r', [CHART.x + 198, 170], [CHART.x + 398, 278]);
  await page.keyboard.press('t');
  const words = at(CHART.x + 288, CHART.y + 172);
  await page.mouse.click(words.x, words.y);
  await page.keyboard.type('The new start page');
  await page.keyboard.press('Control+Enter');
  await drag('a', [CHART.x + 470, CHART.y + 166], [CHART.x + 568, CHART.y + 74]);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
};

const background = async (page: Page): Promise<void> => {
  await editor(page);
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'Background' });
  await dialog.getByRole('button', { name: 'Ocean' }).click();
  for (const [group, choice] of [
    ['Corners', 'Rounded'],
    ['Shadow', 'Strong'],
    ['Title bar', 'Light'],
  ] as const)
    await dialog.getByRole('radiogroup', { name: group }).getByText(choice, { exact: true }).click();
  await page.mouse.move(0, 0);
};

const secrets = async (page: Page): Promise<void> => {
  await settled(page);
  const { x, y, width, height } = SECRET;
  await page.evaluate(
    (area) => window.double.answer('vision.findSecrets', () => ({ found: [{ kind: 'token', ...area }], missing: [] })),
    { x: x - DASHBOARD.x, y: y - DASHBOARD.y, width, height, confidence: 95 },
  );
  await showCapture(page, { width: DASHBOARD.width, height: DASHBOARD.height });
  await page.getByRole('button', { name: 'Find secrets' }).click();
  await page.getByRole('button', { name: /^Hide \(/ }).waitFor();
};

const animation = async (page: Page): Promise<void> => {
  await review(page);
  await page.evaluate(() =>
    window.double.answer('animation.predict', ({ options }) => ({
      ...{ format: options.format, width: options.width ?? 1_280, height: 450, frames: 150, bytes: 1_500_000 },
    })),
  );
  await page.getByText('Animated image').click();
  await page.getByText(/150 frames/).waitFor();
};

const pin = async (page: Page): Promise<void> => {
  await page.locator('img').waitFor();
  await page.mouse.move(100, 100);
};

const toast = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(() => {
    const { make, double } = window;
    const item = make.makeItem('linked', 12, {
      name: 'Visitors in November.png',
      createdAt: Date.now(),
      origin: 'capture',
    });
    double.set({ queue: { items: [item], live: {}, paused: false } });
  });
  await page.getByRole('listitem').first().waitFor();
};

const recorder = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(() => window.double.set({ recording: window.make.makeRunning(Date.now()) }));
  await page.getByRole('timer').waitFor();
};

const review = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(() => window.double.set({ recording: window.make.makeReview() }));
  const start = page.getByRole('slider').first();
  await start.waitFor();
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  await page.getByRole('slider', { name: /Start|Начало/ }).press('Shift+ArrowRight');
};

const hotkeys = async (page: Page): Promise<void> => {
  await settled(page, 'settings');
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /Hotkeys|Клавиши|Горячие/ })
    .click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
};

/** A scene of the tests, in the same window. */
const scene =
  (scenes: Readonly<Record<string, (page: Page) => Promise<void>>>, ...names: readonly string[]) =>
  async (page: Page): Promise<void> => {
    await settled(page);
    for (const name of names) await scenes[name]?.(page);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  };

const list = (page: Page) => library(page, 'list');
const grid = (page: Page) => library(page, 'grid');

export const WINDOW_SHOTS: readonly Shot[] = [
  { name: 'home', which: 'index', theme: 'light', language: 'en', height: 884, prepare: home },
  { name: 'home-dark', which: 'index', theme: 'dark', language: 'en', height: 884, prepare: home },
  { name: 'home-ru', which: 'index', theme: 'light', language: 'ru', height: 884, prepare: home },
  { name: 'library-list', which: 'index', theme: 'light', language: 'en', height: 872, prepare: list },
  { name: 'library-pictures', which: 'index', theme: 'dark', language: 'en', height: 824, prepare: grid },
  { name: 'library-ru', which: 'index', theme: 'light', language: 'ru', height: 824, prepare: grid },
  {
    name: 'item',
    which: 'index',
    theme: 'light',
    language: 'en',
    height: 1000,
    prepare: scene(ITEM_SCENES, 'a picture'),
  },
  {
    name: 'details',
    which: 'index',
    theme: 'dark',
    language: 'en',
    prepare: scene(SCENES, 'cut off', 'details of an item'),
  },
  { name: 'folder', which: 'index', theme: 'light', language: 'en', prepare: scene(SCENES, 'a folder') },
  { name: 'note', which: 'index', theme: 'dark', language: 'en', height: 640, prepare: scene(SCENES, 'a note') },
  { name: 'overlay', which: 'overlay', theme: 'light', language: 'en', prepare: overlay },
  { name: 'editor', which: 'index', theme: 'light', language: 'en', prepare: editor },
  { name: 'background', which: 'index', theme: 'light', language: 'en', prepare: background },
  { name: 'find-secrets', which: 'index', theme: 'dark', language: 'en', prepare: secrets },
  { name: 'animation', which: 'index', theme: 'light', language: 'en', height: 900, prepare: animation },
  { name: 'pin', which: 'pin', theme: 'light', language: 'en', prepare: pin },
  { name: 'review', which: 'index', theme: 'dark', language: 'en', height: 776, prepare: review },
  { name: 'settings-hotkeys', which: 'index', theme: 'light', language: 'en', height: 740, prepare: hotkeys },
  { name: 'toast', which: 'toast', theme: 'light', language: 'en', prepare: toast },
  { name: 'recorder-bar', which: 'recorder', theme: 'dark', language: 'en', prepare: recorder },
];

/** The editor's files, by the rest of their address below `/captures/`. */
export const EDITED_PICTURE = `${EDITED}/picture`;
export const FROZEN_SCREEN = `${CAPTURE}/1`;
