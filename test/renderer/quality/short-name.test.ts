/** Shortened names in messages are short enough and still distinguish files. */
import { expect, it } from 'vitest';
import { shortName } from '../../../src/renderer/components/indicators/short-name.tsx';

it('leaves a name alone that fits, whatever its letters are made of', () => {
  expect(shortName('Снимок экрана.png')).toBe('Снимок экрана.png');
  expect(shortName('x'.repeat(60))).toBe('x'.repeat(60));
  expect(shortName('👩‍💻'.repeat(60))).toBe('👩‍💻'.repeat(60));
});

it('leaves out the middle of a long one, never half a letter of it', () => {
  expect(shortName(`Recording of ${'a meeting '.repeat(20)}(2).mp4`)).toBe(
    'Recording of a meeting a meeting a meet…ng a meeting (2).mp4',
  );
  const family = shortName('👩‍💻'.repeat(200));
  expect(family).toBe(`${'👩‍💻'.repeat(39)}…${'👩‍💻'.repeat(20)}`);
});
