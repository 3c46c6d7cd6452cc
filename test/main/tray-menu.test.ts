/** The labels and entries of the tray menu in each state of the app, in both languages. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaptureId } from '../../src/api/ids.ts';
import type { CaptureSessionIn } from '../../src/ipc/protocol/capture.ts';
import { HOTKEY_ACTIONS } from '../../src/ipc/protocol/hotkeys.ts';
import type { Recording } from '../../src/ipc/protocol/recording.ts';
import { desktopTextsFor } from '../../src/main/desktop-texts.ts';
import { TRAY_ICONS, trayIconState } from '../../src/main/tray/tray.ts';
import { type TrayAction, type TrayEntry, type TrayMenuInput, trayMenu } from '../../src/main/tray/tray-menu.ts';
import { MIB, makeItem, makeLibraryItem, makeRunning, makeState } from '../support/window/app-state.ts';
import { CAPTURE } from '../support/window/frozen-desktop.ts';

const EN = desktopTextsFor('en', []);
const RU = desktopTextsFor('ru', []);
const OTHER = '00000000-0000-4000-8000-000000000801' as CaptureId;
const quiet = makeState({ queue: { items: [], live: {}, paused: false }, capture: null, recording: null });

const facts = (change: Partial<TrayMenuInput> = {}): TrayMenuInput => ({
  ...{ state: quiet, batch: null, recent: [], messages: EN, style: 'clicks', pins: null },
  ...change,
});

const flat = (entries: readonly TrayEntry[]): TrayEntry[] =>
  entries.flatMap((entry) => (entry.kind === 'menu' ? [entry, ...flat(entry.entries)] : [entry]));
const actionsIn = (entries: readonly TrayEntry[]): TrayAction[] =>
  flat(entries).flatMap((entry) => (entry.kind === 'action' ? [entry.action] : []));
const labelsIn = (entries: readonly TrayEntry[]): string[] =>
  flat(entries).flatMap((entry) => (entry.kind === 'line' ? [] : [entry.label]));
const menuOf = (entries: readonly TrayEntry[], label: string): readonly TrayEntry[] => {
  const found = flat(entries).find((entry) => entry.kind === 'menu' && entry.label.startsWith(label));
  return found?.kind === 'menu' ? found.entries : [];
};

const recent = Array.from({ length: 12 }, (_, index) => makeLibraryItem(index + 1));
const running = makeRunning(0);
const editing: CaptureSessionIn<'editing'> = {
  ...{ state: 'editing', id: CAPTURE, name: 'Screenshot', width: 10, height: 10, takenAt: 0 },
};

describe('the menu', () => {
  it('offers everything, wherever nothing but a menu opens', () => {
    for (const style of ['clicks', 'menus'] as const) {
      const actions = actionsIn(trayMenu(facts({ style, recent })));
      const captures = actions.flatMap((action) =>
        action.do === 'capture' ? [action.delaySeconds ?? action.mode] : [],
      );
      expect(captures).toEqual(['region', 'window', 'screen', 'all', 'last', 3, 5, 10]);
      expect(actions.map((action) => action.do)).toEqual(
        expect.arrayContaining([
          ...['record', 'copy-link', 'open-link', 'delete', 'pause-all', 'upload-files', 'upload-clipboard'],
          ...['new-note', 'show', 'quit'],
        ]),
      );
      const screens = actions.flatMap((action) => (action.do === 'show' ? [action.screen] : []));
      expect(new Set(screens)).toEqual(new Set(['home', 'library', 'settings', 'note']));
    }
  });

  it('lists the ten newest links that still lead somewhere; a click copies, or each has a menu of its own', () => {
    const [gone, ...others] = recent;
    const listed = [{ ...(gone as (typeof recent)[0]), goneAt: 1 }, ...others];
    const clicks = menuOf(trayMenu(facts({ recent: listed })), EN.recent);
    const copies = clicks.flatMap((entry) =>
      entry.kind === 'action' && entry.action.do === 'copy-link' ? [entry.action.id] : [],
    );
    expect(copies).toEqual(others.slice(0, 10).map(({ id }) => id));
    const menus = menuOf(trayMenu(facts({ recent: listed, style: 'menus' })), EN.recent);
    expect(menus).toHaveLength(10);
    expect(actionsIn(menus.slice(0, 1)).map((action) => action.do)).toEqual(['copy-link', 'open-link', 'delete']);
  });

  it('takes a deletion back while there is time', () => {
    const [item] = recent;
    if (!item) throw new Error('no item');
    for (const style of ['clicks', 'menus'] as const) {
      const actions = actionsIn(trayMenu(facts({ recent: [{ ...item, deletingAt: 1 }], style })));
      expect(actions).toContainEqual({ do: 'undelete', id: item.id });
      expect(actions.map((action) => action.do)).not.toContain('delete');
    }
  });

  it('shows the hotkey beside what it does only where the system took it', () => {
    const keys = HOTKEY_ACTIONS.map((action) => ({
      ...{ action, accelerator: `Ctrl+${action}`, bound: null, pressedAt: null, failure: null },
      state: action === 'region' ? ('asked' as const) : ('refused' as const),
    }));
    const state = { ...quiet, hotkeys: { ...quiet.hotkeys, keys } };
    const shown = flat(trayMenu(facts({ state }))).flatMap((entry) =>
      entry.kind === 'action' && entry.accelerator ? [[entry.label, entry.accelerator]] : [],
    );
    expect(shown).toEqual([[EN.capture.region, 'Ctrl+region']]);
  });

  it('names the keys that the desktop bound in place of the chosen ones', () => {
    const bound = { action: 'region', accelerator: 'Ctrl+region', bound: 'Meta+Shift+S', state: 'asked' } as const;
    const keys = [{ ...bound, pressedAt: null, failure: null }];
    const entries = flat(trayMenu(facts({ state: { ...quiet, hotkeys: { ...quiet.hotkeys, keys } } })));
    const region = entries.find((entry) => entry.kind === 'action' && entry.label.startsWith(EN.capture.region));
    expect(region).toMatchObject({ label: `${EN.capture.region} (Meta+Shift+S)` });
    expect(region).not.toHaveProperty('accelerator');
  });

  it('lists the state of the queue, its first items, and the number of the others', () => {
    const items = [
      makeItem('started', 1, { name: 'film.mp4', size: 10 * MIB, confirmedBytes: 5 * MIB }),
      makeItem('queued', 2, { name: 'next.png', size: 10 * MIB }),
      makeItem('queued', 3, { name: 'later.png', size: 0, intent: 'pause' }),
      makeItem('queued', 4, {
        ...{ name: 'lost.png', size: 1 },
        error: { failure: { code: 'SOURCE_MISSING', detail: '' }, since: 0, retryAt: null },
      }),
      makeItem('linked', 5),
      makeItem('queued', 6, { name: 'six.png', size: 0 }),
      makeItem('queued', 7, { name: 'seven.png', size: 0 }),
    ];
    const entries = trayMenu(facts({ state: { ...quiet, queue: { items, live: {}, paused: false } } }));
    expect(labelsIn(entries)).toContain('Queue: 6 items, 20%');
    expect(labelsIn(menuOf(entries, 'Queue'))).toEqual([
      ...['film.mp4: 50%', 'next.png: 0%', 'later.png: paused', 'lost.png: needs attention', 'six.png', 'and 1 more'],
      ...['Pause all', 'Show the queue'],
    ]);
    const paused = trayMenu(facts({ state: { ...quiet, queue: { items, live: {}, paused: true } } }));
    expect(labelsIn(paused)).toContain('Queue: 6 items, paused');
    expect(actionsIn(paused)).toContainEqual({ do: 'resume-all' });
  });

  it('is not another one at every packet', () => {
    const at = (confirmedBytes: number) => {
      const items = [makeItem('started', 1, { size: 100 * MIB, confirmedBytes })];
      return JSON.stringify(trayMenu(facts({ state: { ...quiet, queue: { items, live: {}, paused: false } } })));
    };
    expect(at(41 * MIB)).toBe(at(49 * MIB));
    expect(at(41 * MIB)).not.toBe(at(51 * MIB));
  });

  it('stops a recording first, and offers to start one only where none is', () => {
    const withRecording = (recording: Recording | null) => trayMenu(facts({ state: { ...quiet, recording } }));
    expect(withRecording(running)[0]).toMatchObject({ action: { do: 'stop-recording' } });
    expect(withRecording(running)[1]).toMatchObject({ action: { do: 'pause-recording' } });
    const paused = withRecording(makeRunning(null));
    expect(paused[1]).toMatchObject({ action: { do: 'resume-recording' } });
    expect(actionsIn(paused).map((action) => action.do)).not.toContain('record');
    expect(actionsIn(withRecording(null)).filter((action) => action.do === 'record')).toHaveLength(2);
  });

  it('restores the capture that was discarded last, unless another one is in progress', () => {
    const discarded = [CAPTURE, OTHER].map((id) => ({ id, name: 'Screenshot', until: 1 }));
    const actions = actionsIn(trayMenu(facts({ state: { ...quiet, discarded } })));
    expect(actions.filter((action) => action.do === 'restore-capture')).toEqual([
      { do: 'restore-capture', id: CAPTURE },
    ]);
    for (const state of [quiet, { ...quiet, discarded, capture: editing }])
      expect(actionsIn(trayMenu(facts({ state }))).map((action) => action.do)).not.toContain('restore-capture');
  });

  it('offers to cancel a capture that is in progress', () => {
    const actions = actionsIn(trayMenu(facts({ state: { ...quiet, capture: editing } })));
    expect(actions).toContainEqual({ do: 'cancel-capture' });
    expect(actions.map((action) => action.do)).not.toContain('capture');
  });

  it('shortens a long name in its middle, so that its ending is seen', () => {
    const [item] = recent;
    if (!item) throw new Error('no item');
    const name = `${'very-long-'.repeat(20)}.webm`;
    const labels = labelsIn(menuOf(trayMenu(facts({ recent: [{ ...item, name }] })), EN.recent));
    const [, label = ''] = labels;
    expect(label).toMatch(/^very-long-.*….*\.webm$/);
    expect([...label].length).toBeLessThanOrEqual(44);
  });

  it('has Russian texts in Russian', () => {
    const items = [makeItem('queued', 1, { name: '1.png' }), makeItem('queued', 2, { name: '2.png' })];
    const state = { ...quiet, queue: { items, live: {}, paused: false }, recording: running };
    const ru = trayMenu(facts({ state, recent, messages: RU }));
    expect(actionsIn(ru)).toEqual(actionsIn(trayMenu(facts({ state, recent }))));
    expect(labelsIn(ru)).toContain('Очередь: 2 элемента, 0 %');
    const names = new Set([...items, ...recent].map(({ name }) => name));
    const foreign = labelsIn(ru).filter((label) => !/[а-яё]/i.test(label) && !names.has(label.replace(/: .*/, '')));
    expect(foreign).toEqual([]);
  });
});

describe('the icon', () => {
  const look = (change: Parameters<typeof trayIconState>[0]) => trayIconState(change, null, EN);
  const queue = (...items: Parameters<typeof makeItem>[]) => ({
    queue: { items: items.map((each) => makeItem(...each)), live: {}, paused: false },
    recording: null,
  });

  it('shows what needs the user, then what runs', () => {
    expect(look(quiet)).toEqual({ icon: 'idle', tip: 'Linkshot' });
    const half = queue(['started', 1, { size: 10 * MIB, confirmedBytes: 5 * MIB }]);
    expect(look(half)).toEqual({ icon: 'progress-2', tip: 'Linkshot: uploading 1 item, 50%' });
    const failed = queue(
      ['started', 1],
      ['queued', 2, { error: { failure: { code: 'QUOTA_EXCEEDED', detail: '' }, since: 0, retryAt: null } }],
    );
    expect(look(failed)).toEqual({ icon: 'failure', tip: 'Linkshot: 1 item needs attention' });
    expect(look({ ...failed, recording: running })).toEqual({ icon: 'recording', tip: 'Linkshot: recording' });
    expect(look({ ...half, queue: { ...half.queue, paused: true } })).toEqual({
      ...{ icon: 'idle', tip: 'Linkshot: paused, 1 item waiting' },
    });
  });

  it('is not red for a fault that passes by itself', () => {
    const waits = { failure: { code: 'NETWORK_FAILED', detail: '' }, since: 0, retryAt: 1 } as const;
    expect(look(queue(['queued', 1, { size: 1, error: waits }])).icon).toBe('progress-0');
  });

  it('is drawn for every state, in both sizes', () => {
    for (const icon of [...TRAY_ICONS, 'badge'])
      for (const size of ['', '@2x'])
        expect(existsSync(resolve(import.meta.dirname, `../../resources/tray/${icon}${size}.png`)), icon).toBe(true);
  });
});

it('uses the first language of the user that it supports', () => {
  expect(desktopTextsFor('system', ['de-DE', 'ru-RU', 'en-GB'])).toBe(RU);
  expect(desktopTextsFor('system', ['fr'])).toBe(EN);
  expect(desktopTextsFor('en', ['ru'])).toBe(EN);
});
