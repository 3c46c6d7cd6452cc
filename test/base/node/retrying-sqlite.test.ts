/** Opening databases that another program of Windows holds for a moment. */
import { expect, it } from 'vitest';
import { openWhileLocked } from '../../../src/base/node/retrying-sqlite.ts';

/** Time passes only while something waits. */
const windowsWith = (codes: readonly string[]) => {
  const left = [...codes];
  let passedMs = 0;
  const system = {
    platform: 'win32' as NodeJS.Platform,
    now: () => passedMs,
    wait: (milliseconds: number) => {
      passedMs += milliseconds;
    },
  };
  const open = () => {
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return 'opened';
  };
  return { system, open, passedMs: () => passedMs, left };
};

it('is repeated while the database, or a file beside it, is held', () => {
  const { system, open, passedMs } = windowsWith(['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_DELETE']);
  expect(openWhileLocked(open, system)).toBe('opened');
  expect(passedMs()).toBe(300);
});

it('fails with the last error after eight seconds', () => {
  const { system, open, passedMs } = windowsWith(Array.from({ length: 1_000 }, () => 'SQLITE_READONLY'));
  expect(() => openWhileLocked(open, system)).toThrow('SQLITE_READONLY');
  expect(passedMs()).toBe(8_000);
});

it('is tried once where another error is thrown, or on another system', () => {
  const broken = windowsWith(['SQLITE_CORRUPT']);
  expect(() => openWhileLocked(broken.open, broken.system)).toThrow('SQLITE_CORRUPT');
  const elsewhere = windowsWith(['SQLITE_READONLY']);
  expect(() => openWhileLocked(elsewhere.open, { ...elsewhere.system, platform: 'linux' })).toThrow('SQLITE_READONLY');
  expect(broken.passedMs() + elsewhere.passedMs()).toBe(0);
});
