/** Reacting to the abort of a signal, whenever it comes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { onAbort, orOnAbort } from '../../../src/base/common/on-abort.ts';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

it('acts once when the signal is aborted', () => {
  const stopping = new AbortController();
  let acts = 0;
  onAbort(stopping.signal, () => acts++);
  expect(acts).toBe(0);
  stopping.abort();
  expect(acts).toBe(1);
});

it('acts where the signal was aborted before, but not before the caller has the undo', async () => {
  let acts = 0;
  onAbort(AbortSignal.abort(), () => acts++);
  expect(acts).toBe(0);
  await turn();
  expect(acts).toBe(1);
});

it('does not act once it is undone', async () => {
  const stopping = new AbortController();
  let acts = 0;
  onAbort(stopping.signal, () => acts++)();
  stopping.abort();
  onAbort(stopping.signal, () => acts++)();
  await turn();
  expect(acts).toBe(0);
});

it('waits for a promise or for the abort, whichever comes first', async () => {
  const never = new Promise<string>(() => {});
  const { signal } = new AbortController();
  expect(await orOnAbort(Promise.resolve('done'), signal, () => 'aborted')).toBe('done');
  await expect(orOnAbort(Promise.reject(new Error('failed')), signal, () => 'aborted')).rejects.toThrow('failed');
  expect(await orOnAbort(never, AbortSignal.abort(), () => 'aborted')).toBe('aborted');
  const stopping = new AbortController();
  const waiting = orOnAbort(never, stopping.signal, () => 'aborted');
  stopping.abort();
  expect(await waiting).toBe('aborted');
});

it('is how all of the app listens for an abort', () => {
  const root = resolve(import.meta.dirname, '../../../src');
  const listening = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) &&
        /(?:addEventListener\(|once\([^,]+,)\s*'abort'/.test(readFileSync(join(root, name), 'utf8')),
    )
    .map((name) => name.replaceAll('\\', '/'));
  expect(listening).toEqual(['base/common/on-abort.ts']);
});
