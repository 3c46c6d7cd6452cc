/** Moving and removing files that another program locks for a moment (Windows). */
import { describe, expect, it } from 'vitest';
import { retryWhileLocked, retryWhileLockedSync } from '../../../src/base/node/retrying-fs.ts';

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });

/** Fails with these codes, one per call, and succeeds then. */
const failingWith = (...codes: readonly string[]) => {
  const left = [...codes];
  return () => {
    const code = left.shift();
    if (code !== undefined) throw errorOf(code);
  };
};

const waitsOf = () => {
  const waits: number[] = [];
  return { waits, wait: (milliseconds: number) => Promise.resolve(waits.push(milliseconds)) };
};

describe('a file that is held', () => {
  it('is tried again until it is free, after longer and longer waits', async () => {
    const { waits, wait } = waitsOf();
    const action = failingWith('EBUSY', 'EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY');
    await retryWhileLocked(async () => action(), wait);
    expect(waits).toHaveLength(5);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
  });

  it('returns the result of the action, and retries only the named errors', async () => {
    const { waits, wait } = waitsOf();
    const opening = failingWith('EBUSY');
    expect(await retryWhileLocked(async () => opening() ?? 'open', wait, new Set(['EBUSY']))).toBe('open');
    expect(waits).toHaveLength(1);
    const refused = async () => failingWith('EACCES')();
    await expect(retryWhileLocked(refused, wait, new Set(['EBUSY']))).rejects.toMatchObject({ code: 'EACCES' });
    expect(waits).toHaveLength(1);
  });

  it('fails after about four seconds with the error of the system', async () => {
    const { waits, wait } = waitsOf();
    let tries = 0;
    const action = async () => {
      tries += 1;
      throw errorOf('EBUSY');
    };
    await expect(retryWhileLocked(action, wait)).rejects.toMatchObject({ code: 'EBUSY' });
    expect(tries).toBe(waits.length + 1);
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(4_000);
    expect(waits.reduce((sum, one) => sum + one, 0)).toBeLessThan(5_000);
  });

  it('is no reason to try again where the error is another one', async () => {
    const { waits, wait } = waitsOf();
    const action = failingWith('ENOSPC');
    await expect(retryWhileLocked(async () => action(), wait)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(waits).toEqual([]);
  });

  it('is waited for by code that blocks, too', () => {
    const { waits, wait } = waitsOf();
    retryWhileLockedSync(failingWith('EBUSY', 'EPERM'), wait);
    expect(waits).toHaveLength(2);
    expect(() => retryWhileLockedSync(failingWith('ENOENT'), wait)).toThrow('ENOENT');
    const opening = failingWith('EBUSY');
    expect(retryWhileLockedSync(() => opening() ?? 'open', wait, new Set(['EBUSY']))).toBe('open');
    expect(() => retryWhileLockedSync(failingWith('EPERM'), wait, new Set(['EBUSY']))).toThrow('EPERM');
  });
});
