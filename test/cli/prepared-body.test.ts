/** The line about a file that was, or would be, made to fit: before, after, and what is lost. */
import { describe, expect, it } from 'vitest';
import { failure } from '../../src/api/errors.ts';
import {
  columns,
  formatBytes,
  formatDuration,
  printable,
  shortened,
  styleFor,
  widthOf,
} from '../../src/cli/output/format.ts';
import { formatPrepared, formatPreview } from '../../src/cli/output/prepared-file-summary.ts';
import { createProgressLine } from '../../src/cli/output/progress-line.ts';
import type { AppState } from '../../src/ipc/protocol/app-state.ts';
import { makeItem, makeState } from '../support/window/app-state.ts';

const MIB = 1024 * 1024;
const before = { size: 45 * MIB, width: 1920, height: 1080, fps: 59.94, seconds: 30, hasAudio: true };
const after = { ...before, size: 22 * MIB, fps: 30 };

describe('the description of a prepared file', () => {
  it('of a video is its size and rate before and after, and what a viewer will miss', () => {
    const made = { kind: 'video', way: 'encode', before, after, reasons: ['FPS'], losses: ['dynamic-range'] } as const;
    expect(formatPrepared({ ...made, reasons: [...made.reasons], losses: [...made.losses] })).toBe(
      '1080p60 45 MiB -> 1080p30 22 MiB; HDR converted to SDR',
    );
  });

  it('of a video before it is made has the expected duration, and a refusal has its reason', () => {
    const plan = { before, after, secondsNeeded: 40, reasons: [], losses: [] };
    expect(formatPreview({ kind: 'video', video: { way: 'encode', ...plan } })).toBe(
      '1080p60 45 MiB -> 1080p30 22 MiB; about 40 s',
    );
    expect(formatPreview({ kind: 'video', video: { way: 'pass', before } })).toBe('1080p60 45 MiB, unchanged');
    const refusal = failure('VIDEO_UNREADABLE', 'no picture');
    expect(formatPreview({ kind: 'video', video: { way: 'refuse', before: null, failure: refusal } })).toMatch(
      /damaged/,
    );
  });
});

describe('the line of progress', () => {
  const drawn = (queue: AppState['queue'], columnsOfTerminal = 100): string => {
    let text = '';
    const terminal = {
      columns: columnsOfTerminal,
      write: (more: string) => {
        text = more;
      },
    };
    createProgressLine(terminal, () => queue.items.map(({ id }) => id)).draw(makeState({ queue }));
    return text.replace('\r\x1b[2K', '');
  };

  it('shows what is being converted, how far it is, and the remaining time', () => {
    const item = makeItem('queued', 1, { name: 'demo.mov', size: 100 });
    const live = { activity: 'preparing', doneBytes: 40, bytesPerSecond: 5, secondsLeft: 12 } as const;
    expect(drawn({ items: [item], live: { [item.id]: live }, paused: false })).toBe(
      'Converting demo.mov: 40 %, 12 s left',
    );
  });

  it('draws a bar over all bytes to send, cut to the terminal, beside items in preparation', () => {
    const items = [
      makeItem('started', 1, { size: 4 * MIB, confirmedBytes: MIB }),
      makeItem('linked', 2, { size: 4 * MIB }),
      makeItem('queued', 3, { name: 'code', size: 0, job: { kind: 'folder' } }),
    ] as const;
    const live = {
      [items[0].id]: { activity: 'sending', doneBytes: 2 * MIB, bytesPerSecond: MIB, secondsLeft: 2 },
      [items[2].id]: { activity: 'preparing', doneBytes: 0, bytesPerSecond: null, secondsLeft: null },
    } as const;
    const queue = { items: [...items], live, paused: false };
    expect(drawn(queue)).toBe('Packing code  ██████████████████░░░░░░   75 %  6 MiB of 8 MiB  1 MiB/s  2 s left');
    expect(widthOf(drawn(queue, 40))).toBe(39);
  });

  it('stays full while the link is made and its settings are applied', () => {
    for (const state of ['sent', 'completing', 'published'] as const) {
      const line = drawn({ items: [makeItem(state, 1, { size: 3_000 })], live: {}, paused: false });
      expect(line, state).toBe(`${'█'.repeat(24)}  100 %  2.9 KiB of 2.9 KiB`);
    }
  });

  it('says what happened to an item that is tried again by itself, and nothing of one that waits for the user', () => {
    const away = failure('SERVER_UNREACHABLE', 'connect ECONNREFUSED');
    const item = (retryAt: number | null) =>
      makeItem('completing', 1, { size: 4 * MIB, error: { failure: away, since: 0, retryAt } });
    const bar = `${'█'.repeat(24)}  100 %`;
    const queue = (retryAt: number | null) => ({ items: [item(retryAt)], live: {}, paused: false });
    expect(drawn(queue(5_000))).toBe(`${bar}  Trying again: The service cannot be reached.`);
    expect(drawn(queue(null))).toBe(`${bar}  4 MiB of 4 MiB`);
    expect(widthOf(drawn(queue(5_000), 80))).toBeLessThan(80);
    const empty = { ...item(5_000), size: 0 };
    expect(drawn({ items: [empty], live: {}, paused: false })).toBe('Trying again: The service cannot be reached.');
  });

  it('is full, and draws on, where more was sent than the file has', () => {
    const item = makeItem('posting', 1, { size: 3_000 });
    const live = { activity: 'sending', doneBytes: 3_371, bytesPerSecond: null, secondsLeft: null } as const;
    const line = drawn({ items: [item], live: { [item.id]: live }, paused: false });
    expect(line).toBe(`${'█'.repeat(24)}  100 %  2.9 KiB of 2.9 KiB`);
  });
});

describe('formatted text', () => {
  it('are short, in the units of the service', () => {
    expect([0, 1023, 1024, 1536, 150 * MIB, 4 * 1024 * MIB].map(formatBytes)).toEqual([
      ...['0 bytes', '1023 bytes', '1 KiB', '1.5 KiB', '150 MiB', '4 GiB'],
    ]);
    expect([0.2, 59, 61, 3_599, 3_660].map(formatDuration)).toEqual(['1 s', '59 s', '2 min', '60 min', '1 h 1 min']);
    expect([3_600, 7_199, 7_200, 7_201].map(formatDuration)).toEqual([
      ...['1 h 0 min', '2 h 0 min', '2 h 0 min', '2 h 1 min'],
    ]);
  });

  it('are aligned in columns by their width on the screen, and long names keep their ending', () => {
    expect(
      columns([
        ['a', 'long', 'x'],
        ['日本', 'b', 'y'],
      ]),
    ).toEqual(['a     long  x', '日本  b     y']);
    const name = shortened('a-very-long-name-of-a-capture.png', 16);
    expect([widthOf(name), name.endsWith('.png'), name.startsWith('a-very')]).toEqual([16, true, true]);
    expect(widthOf('\x1b[1mé日\x1b[0m')).toBe(3);
  });

  it.each([
    ['ASCII', 'photo.png', 9],
    ['a letter with a combining accent', 'a\u0301', 1],
    ['Han and Hangul', '日本한', 6],
    ['full and half width', 'ｆﾊ', 3],
    ['an emoji', '😀', 2],
    ['a family joined to one emoji', '👨‍👩‍👧', 2],
    ['a flag of two letters', '🇩🇪', 2],
    ['a sign shown as a picture', '⚠️', 2],
    ['a zero-width space', '\u200b', 0],
  ])('have the width of %s', (_, text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });

  it('never contain terminal escapes', () => {
    expect(printable('a\x1b]0;x\x07\n\u202eb')).toBe('a?]0;x???b');
  });

  it('are coloured only on a terminal, and never with NO_COLOR', () => {
    const coloured = (isTTY: boolean, environment = {}) => styleFor({ isTTY }, environment).isColoured;
    expect([
      coloured(true),
      coloured(false),
      coloured(true, { NO_COLOR: '1' }),
      coloured(true, { TERM: 'dumb' }),
    ]).toEqual([...[true, false, false, false]]);
    expect([
      coloured(false, { FORCE_COLOR: '1' }),
      coloured(false, { FORCE_COLOR: '0' }),
      coloured(true, { FORCE_COLOR: '0' }),
      coloured(true, { FORCE_COLOR: '' }),
    ]).toEqual([...[true, false, false, true]]);
    expect(styleFor({ isTTY: true }, {}).bold('x')).toBe('\x1b[1mx\x1b[22m');
  });
});
