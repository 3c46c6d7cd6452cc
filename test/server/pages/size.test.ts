import { expect, it } from 'vitest';
import { createFormat } from '../../../src/renderer/locales/format.ts';
import { formatSize } from '../../../src/server/pages/format.ts';

const SIZES = [
  0,
  1,
  999,
  1_000,
  1_023,
  1_024,
  1_536,
  10_188,
  102_399,
  186_022,
  1_048_524,
  1_048_525,
  5_000_000,
  2 ** 30,
  2 ** 40,
];

it.each(['en', 'ru'] as const)('shows every size on share pages as the window does (%s)', (language) => {
  const { bytes } = createFormat(language);
  for (const size of SIZES) expect(formatSize(size, language)).toBe(bytes(size));
});
