/** Values that are remembered until the records change. */
import { expect, it } from 'vitest';
import { createVersionedCache } from '../../../src/server/database/versioned-cache.ts';

const createReader = () => {
  let reads = 0;
  return { read: async () => `value ${++reads}`, reads: () => reads };
};

it('reads a value once for each version of the records', async () => {
  const cache = createVersionedCache<string>(10);
  const { read, reads } = createReader();
  expect(await cache.get(1, 'a', read)).toBe('value 1');
  expect(cache.get(1, 'a', read)).toBe('value 1');
  expect(await cache.get(2, 'a', read)).toBe('value 2');
  expect(reads()).toBe(2);
});

it('remembers nothing when the version is unknown', async () => {
  const cache = createVersionedCache<string>(10);
  const { read } = createReader();
  expect(await cache.get(null, 'a', read)).toBe('value 1');
  expect(await cache.get(null, 'a', read)).toBe('value 2');
});

it('forgets the result of a read during which the records changed', async () => {
  const cache = createVersionedCache<string>(10);
  const slow = Promise.withResolvers<string>();
  const first = cache.get(1, 'a', () => slow.promise);
  const { read } = createReader();
  expect(await cache.get(2, 'b', read)).toBe('value 1');
  slow.resolve('of version 1');
  expect(await first).toBe('of version 1');
  expect(await cache.get(2, 'a', read)).toBe('value 2');
});

it('keeps a limited number of values', async () => {
  const cache = createVersionedCache<string>(2);
  const { read, reads } = createReader();
  for (const key of ['a', 'b', 'c']) await cache.get(1, key, read);
  await cache.get(1, 'a', read);
  expect(reads()).toBe(4);
});
