/** Scenes of the window, set up in the page through the transport's double. */
import type { Page } from 'playwright-core';
import { MESSAGE_SCENES, takeMessagesAway } from './message-scenes.ts';
import { drop } from './page-gestures.ts';

type Scene = (page: Page) => Promise<void>;

const show = (page: Page, screen: 'home' | 'library' | 'settings'): Promise<void> =>
  page.evaluate((name) => {
    location.hash = `#${name}`;
  }, screen);

const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

export const SCENES: Readonly<Record<string, Scene>> = {
  empty: async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      double.setLink('up');
      double.set({
        connection: make.connected(),
        notices: [],
        queue: { items: [], live: {}, paused: false },
      });
    });
    await show(page, 'home');
  },

  busy: (page) =>
    page.evaluate(() => {
      const { make, double } = window;
      const { MIB } = make;
      const recording = make.makeItem('started', 2, { name: 'Screen recording.mp4', size: 62.4 * MIB });
      const picture = make.makeItem('queued', 3, { name: `${'a-very-long-name-'.repeat(6)}.png`, size: 4.1 * MIB });
      const items = [
        recording,
        picture,
        make.makeItem('completing', 4, { name: 'invoice.webp' }),
        make.makeItem('started', 6, { name: 'talk.webm', size: 95 * MIB, confirmedBytes: 44 * MIB, intent: 'pause' }),
        make.makeItem('queued', 7, { name: 'next.avif' }),
        make.makeItem('linked', 8, { name: 'dashboard.png' }),
        make.makeItem('linked', 9, { name: 'Снимок экрана.png' }),
      ];
      const live = {
        [recording.id]: { activity: 'sending', doneBytes: 24 * MIB, bytesPerSecond: 3.4 * MIB, secondsLeft: 12 },
        [picture.id]: { activity: 'hashing', doneBytes: MIB, bytesPerSecond: null, secondsLeft: null },
      } as const;
      double.set({ queue: { items, live, paused: false } });
    }),

  error: (page) =>
    page.evaluate(() => {
      const { make, double } = window;
      const { MIB, NOON } = make;
      const codes = ['UPLOAD_FORMAT_UNSUPPORTED', 'QUOTA_EXCEEDED', 'API_KEY_EXPIRED', 'SOURCE_MISSING'] as const;
      const failure = (code: (typeof codes)[number] | 'NETWORK_FAILED') => ({
        code,
        detail: 'The words of the server.',
      });
      const passing = { failure: failure('NETWORK_FAILED'), since: NOON, retryAt: Date.now() + 42_000 };
      const items = [
        make.makeItem('started', 1, { size: 62 * MIB, confirmedBytes: 20 * MIB, error: passing }),
        ...codes.map((code, index) =>
          make.makeItem('started', 2 + index, { error: { failure: failure(code), since: NOON, retryAt: null } }),
        ),
      ];
      double.set({ queue: { items, live: {}, paused: false } });
    }),

  ...MESSAGE_SCENES,

  'cut off': async (page) => {
    await takeMessagesAway(page);
    await page.evaluate(() => {
      const { make, double } = window;
      const { MIB } = make;
      const failure = { code: 'SERVER_UNREACHABLE', detail: 'getaddrinfo ENOTFOUND' } as const;
      const error = { failure, since: Date.now() - 60_000, retryAt: Date.now() + 42_000 };
      const begun = { name: 'Screen recording.mp4', size: 62 * MIB, confirmedBytes: 38 * MIB } as const;
      const items = [make.makeItem('started', 1, { ...begun, error }), make.makeItem('started', 2, { error })];
      const kept = { keptBytes: 38 * MIB, size: 62 * MIB, times: 7 };
      const from = Date.now() - 26 * 60 * 60_000;
      double.answer('queue.timeline', () => ({
        events: [
          { at: from, data: { kind: 'added', by: 'recording', size: 120 * MIB } },
          { at: from + 40_000, data: { kind: 'made', what: 'video', fromBytes: 120 * MIB, toBytes: 62 * MIB } },
          { at: from + 50_000, data: { kind: 'begun', keptBytes: 0, size: 62 * MIB } },
          {
            at: from + 90_000,
            data: { kind: 'interrupted', by: 'killed', failure: null, ...kept, until: from + 90_000 },
          },
          { at: Date.now() - 900_000, data: { kind: 'changed', change: { visibility: 'unlisted', oneTime: true } } },
          { at: Date.now() - 60_000, data: { kind: 'interrupted', by: 'network', failure, ...kept, until: null } },
        ],
      }));
      double.set({ connection: make.connected(), queue: { items, live: {}, paused: false } });
    });
  },

  'details of an item': async (page) => {
    await page.getByRole('button', { name: 'Screen recording.mp4', exact: true }).click();
    await page.getByRole('dialog').getByRole('list').first().waitFor();
  },

  'details again closed': (page) => closeDialog(page),

  'budget used up': async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const resting = { restsUntil: Date.now() + 38_000 };
      const items = [make.makeItem('queued', 1), make.makeItem('queued', 2)];
      double.set({ connection: { ...make.connected(), ...resting }, queue: { items, live: {}, paused: false } });
    });
    await page.getByRole('main').locator('h1').first().waitFor();
  },

  warnings: (page) =>
    page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'API_KEY_REVOKED', detail: 'revoked' } as const;
      double.set({
        connection: { state: 'failed', server: make.SERVER, account: make.makeAccount(), failure },
        notices: [{ code: 'PROFILE_DAMAGED', detail: 'queue.sqlite was set aside' }],
      });
      double.setLink('down');
      const { url } = make.makeContent(8);
      double.emit({ type: 'linked', id: make.itemId(8), url, name: 'dashboard.png', text: url });
    }),

  fitting: async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const { MIB } = make;
      const before = { width: 1920, height: 1080, fps: 120, seconds: 9, hasAudio: true, size: 45 * MIB };
      const after = { ...before, fps: 30, size: 22 * MIB };
      const facts = { way: 'encode', before, after, reasons: ['FPS'], losses: ['sound-tracks', 'extras'] } as const;
      const sizes = { smaller: 9 * MIB, balanced: 22 * MIB, sharper: 47 * MIB, clip: 3 * MIB } as const;
      const fits = (fit: keyof typeof sizes) => ({
        ...facts,
        after: { ...after, size: sizes[fit] },
        reasons: [...facts.reasons],
        losses: [...facts.losses],
        secondsNeeded: 40,
      });
      double.answer('fit.preview', ({ fit }) =>
        // The clip is still being worked out.
        fit === 'clip' ? new Promise<never>(() => {}) : { kind: 'video', video: fits(fit ?? 'balanced') },
      );
      const selection = { files: 12, textBytes: 900, skipped: [], skippedFiles: 3, uncountedFolders: 1 };
      const body = { path: '/spool/x', name: 'x', size: 22 * MIB } as const;
      const items = [
        make.makeItem('linked', 8, {
          name: 'talk.mov',
          size: 22 * MIB,
          body: { ...body, made: { kind: 'video', ...facts, reasons: [...facts.reasons], losses: [...facts.losses] } },
        }),
        make.makeItem('linked', 9, {
          name: 'code',
          body: { ...body, made: { kind: 'folder', selection: { ...selection, gitignore: 'applied' } } },
        }),
      ];
      double.set({ connection: make.connected(), notices: [], queue: { items, live: {}, paused: false } });
      double.setLink('up');
    });
    await drop(page, {
      files: [{ name: 'Screen recording of the meeting.mov', type: 'video/quicktime', size: 45_000 }],
    });
    await page.evaluate(() => window.double.offers[0]?.settle({ ok: true, value: 'token-0123456789' as never }));
    await page.getByRole('radiogroup').first().waitFor();
  },

  'a folder that is read': async (page) => {
    await page.evaluate(() => {
      window.double.set({ connection: window.make.connected(), notices: [] });
      window.double.answer('folder.progress', () => ({ progress: { files: 1_204, share: 0.4 } }));
      window.double.answer('folder.preview', () => new Promise<never>(() => {}));
      location.hash = '#folder/folder-that-is-long';
    });
    await page.getByText(/1[,\s]204/).waitFor();
  },

  'a folder': async (page) => {
    await page.evaluate(() => {
      window.double.answer('folder.preview', () => window.make.makeFolderPreview());
      location.hash = '#folder/folder-of-a-parser';
    });
    await page.getByRole('tree').waitFor();
  },

  'a folder that is too large': async (page) => {
    await page.evaluate(() => {
      const refusal = { code: 'FOLDER_TOO_LARGE', detail: 'More than 20 MB' } as const;
      const change = { name: 'everything', textBytes: 20.4 * window.make.MIB, refusal, unread: 812 };
      window.double.answer('folder.preview', () => window.make.makeFolderPreview(change));
      location.hash = '#folder/folder-too-large-to-share';
    });
    await page.getByText('812').waitFor();
  },

  'a folder that is gone': async (page) => {
    await page.evaluate(() => {
      window.double.failNext('folder.preview', { code: 'COMMAND_INVALID', detail: 'no longer at hand' });
      location.hash = '#folder/folder-that-is-gone';
    });
    await page.getByRole('alert').waitFor();
  },

  library: async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const types = ['IMAGE', 'VIDEO', 'PASTE', 'FOLDER'] as const;
      const visibilities = ['unlisted', 'private', 'public'] as const;
      double.setLibrary(
        Array.from({ length: 40 }, (_, number) =>
          make.makeLibraryItem(number, {
            type: types[number % 4] ?? 'IMAGE',
            visibility: visibilities[number % 3] ?? 'unlisted',
            size: 1_000 * (number + 1) ** 3,
            tags: number === 0 ? [...Array.from({ length: 9 }, (_, tag) => `release 2.${tag}`), 'w'.repeat(32)] : [],
            title:
              number === 1 ? 'A recording of the whole planning meeting with everybody in it' : `Picture ${number}`,
          }),
        ),
      );
    });
    await show(page, 'library');
    await page.getByRole('listitem').first().waitFor();
  },

  'library, as pictures, some chosen': async (page) => {
    await page.evaluate(() => {
      const { double } = window;
      double.set({ settings: { ...double.state().settings, libraryLook: 'grid' } });
      double.answer('link.format', () => ({ text: 'https://share.example.com/s/c0' }));
    });
    await SCENES['library']?.(page);
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('Space');
    await page.getByRole('toolbar').last().waitFor();
    // Its tooltip is above the selected bar.
    await page.getByRole('button', { name: /^(Copy links|Скопировать ссылки)$/ }).click();
    await page
      .getByText(/1 link copied|could not be copied/)
      .first()
      .waitFor();
  },

  'library, changing what is chosen': async (page) => {
    await page.getByRole('button', { name: /^(Change|Изменить)$/ }).click();
    await page.getByRole('dialog').getByRole('radiogroup').first().waitFor();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  },

  'library, nothing found': async (page) => {
    await closeDialog(page);
    // What was said of the links stays for as long as the pointer is over it.
    await page.mouse.move(0, 0);
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('[data-message] > button')) button.click();
    });
    await page.locator('[data-message]').first().waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByRole('heading', { level: 2 }).waitFor();
  },

  'library, still empty': async (page) => {
    await page.getByRole('searchbox').fill('');
    await page.evaluate(() => {
      window.double.setLibrary([]);
      window.double.emit({ type: 'library' });
    });
    await page.getByRole('heading', { level: 2 }).waitFor();
  },

  'a note': async (page) => {
    await page.evaluate(() => window.double.call('note.saveUnpublished', window.make.makeNewNote()));
    await page.evaluate(() => {
      location.hash = '#note';
    });
    await page.getByRole('textbox', { name: /^(Text|Текст)$/ }).waitFor();
  },

  'a note that was refused': async (page) => {
    await page.evaluate(() => window.double.failNext('note.add', { code: 'QUOTA_EXCEEDED', detail: 'full' }));
    await page.getByRole('button', { name: /^(Share|Поделиться)$/ }).click();
    await page.getByRole('alert').waitFor();
    await page.locator('.cm-content[contenteditable=true]').waitFor();
  },

  'two versions of a note': async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const { note, draft } = make.makeNoteConflict();
      double.setLibrary([make.makeLibraryItem(5, { type: 'PASTE', title: note.text.slice(2, 15) })]);
      double.answer('note.read', () => ({ note, draft, unread: null }));
      location.hash = `#note/${make.itemId(5)}`;
    });
    await page.locator('.cm-mergeView, .cm-deletedChunk').first().waitFor();
  },

  settings: async (page) => {
    await page.keyboard.press('Escape');
    await show(page, 'settings');
  },

  authorizing: async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const connection = { state: 'failed', server: make.SERVER, account: make.makeAccount({ name: 'Work' }) } as const;
      const failure = { code: 'API_KEY_EXPIRED', detail: 'expired' } as const;
      double.set({
        accounts: [{ id: make.CONNECTION, isActive: false, connection: { ...connection, failure }, readAt: make.NOON }],
        authorization: {
          state: 'waiting',
          server: make.SERVER,
          userCode: 'WDJB-MJHT',
          address: `${make.SERVER}/connect/device`,
          expiresAt: make.NOON + 900_000,
          browser: 'opened',
        },
      });
    });
    await show(page, 'settings');
    await page.getByText('WDJB-MJHT').scrollIntoViewIfNeeded();
  },

  palettes: (page) =>
    page.evaluate(() => {
      const { make, double } = window;
      const { effective, settings } = make.makeState();
      double.set({ effective: { ...effective, palette: 'forest' }, settings: { ...settings, palette: 'forest' } });
    }),

  refused: async (page) => {
    await page.evaluate(() => {
      const { make, double } = window;
      const failure = { code: 'ACCESS_DENIED', detail: 'refused' } as const;
      double.set({ accounts: [], authorization: { state: 'failed', server: make.SERVER, failure } });
    });
    await show(page, 'settings');
  },

  unconnected: async (page) => {
    await page.evaluate(() => window.double.set({ connection: { state: 'none' }, authorization: null }));
    await show(page, 'settings');
    await page.locator('form button[type=submit]').click();
  },

  'what can be done': async (page) => {
    await page.getByRole('main').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
  },

  'all shortcuts': async (page) => {
    await closeDialog(page);
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },

  'settings again': (page) => closeDialog(page),

  'first steps': async (page) => {
    await page.evaluate(() => window.double.set(window.make.newcomer(window.double.state())));
    await show(page, 'home');
    await page.getByRole('list').first().waitFor();
  },

  welcome: async (page) => {
    // A user who has added something is not new.
    for (const offer of await page.getByRole('button', { name: /^(Cancel uploading|Отменить загрузку) / }).all())
      await offer.click();
    await page.evaluate(() => {
      const { double } = window;
      const { settings } = double.state();
      double.set({
        connection: { state: 'none' },
        settings: { ...settings, firstSteps: { state: 'open', done: [], skipped: [] } },
      });
    });
    await page.locator('[name=server]').waitFor();
  },

  'first steps over': (page) =>
    page.evaluate(() => {
      const { make, double } = window;
      const { settings } = double.state();
      double.set({
        connection: make.connected(),
        settings: { ...settings, firstSteps: { state: 'over', done: [], skipped: [] } },
      });
    }),
};
