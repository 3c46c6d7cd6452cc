/** Normalising, adding and removing tags. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizeTag, retagged, tagsOfLine } from '../../src/api/tag-rules.ts';

it('the tags of a line are each there once, as the service keeps them', () => {
  expect(tagsOfLine(' Trip,  Old   car ,,TRIP, \uff21\uff22 ')).toEqual(['trip', 'old car', 'ab']);
  expect(tagsOfLine(' , ')).toEqual([]);
});

it('a tag of the item that contains commas stays one tag', () => {
  expect(tagsOfLine('red, green, blue, sky', ['red, green', 'sky'])).toEqual(['red, green', 'blue', 'sky']);
  expect(tagsOfLine('a,b,c', ['a,b', 'a,b,c'])).toEqual(['a,b,c']);
  expect(tagsOfLine('a', ['a,b'])).toEqual(['a']);
  const tag = fc.string({ unit: fc.constantFrom('a', 'b', ',', ' ') }).map(normalizeTag);
  fc.assert(
    fc.property(fc.uniqueArray(tag.filter((text) => /^[ab]/.test(text) && !/[, ],|, *$/.test(text))), (tags) => {
      const kept = tagsOfLine(tags.join(', '), tags);
      expect(kept.join(', ')).toBe(tags.join(', '));
    }),
  );
});

it('a normalized tag does not change when it is normalized again', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (tag) => normalizeTag(normalizeTag(tag)) === normalizeTag(tag)));
});

it('added tags come last and once, removed tags are deleted, and the others keep their order', () => {
  expect(retagged(['trip', 'old'], { addTags: ['New', 'TRIP', 'new'] })).toEqual(['trip', 'old', 'new']);
  expect(retagged(['trip', 'old'], { removeTags: [' OLD ', 'never there'] })).toEqual(['trip']);
  expect(retagged(['trip'], { addTags: ['old'], removeTags: ['old'] })).toEqual(['trip']);
  expect(retagged(['trip'], {})).toEqual(['trip']);
});
