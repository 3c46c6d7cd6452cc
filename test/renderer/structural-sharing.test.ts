import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareStructure } from '../../src/renderer/stores/engine-store.ts';

const json = fc.jsonValue({ maxDepth: 4 });

it('answers the new value, whatever the old one was', () => {
  fc.assert(
    fc.property(json, json, (previous, next) => {
      expect(shareStructure(previous, next)).toEqual(next);
    }),
  );
});

it('keeps the identity of everything that is equal', () => {
  fc.assert(fc.property(json, (value) => Object.is(shareStructure(value, structuredClone(value)), value)));
});

it('keeps the unchanged siblings of what changed', () => {
  const before = {
    queue: {
      items: [
        { id: 1, tags: ['a'] },
        { id: 2, tags: ['b'] },
      ],
    },
    settings: { theme: 'dark' },
  };
  const next = structuredClone(before);
  next.queue.items[1] = { id: 2, tags: ['c'] };
  const after = shareStructure(before, next);
  expect(after.settings).toBe(before.settings);
  expect(after.queue.items[0]).toBe(before.queue.items[0]);
  expect(after.queue.items[1]).toEqual({ id: 2, tags: ['c'] });
});

it('distinguishes a list from an object, and a missing entry from an undefined one', () => {
  expect(shareStructure([], {})).toEqual({});
  expect(shareStructure({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(shareStructure({ a: undefined }, { b: undefined })).toHaveProperty('b');
  expect(shareStructure(['a', 'b'], ['a'])).toEqual(['a']);
});
