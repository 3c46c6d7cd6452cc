/** Shortcuts read Ctrl and Cmd in one place, which knows what a Mac's text fields use themselves. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('no component reads Ctrl or Cmd from an event itself; it asks keyboard/key-events.ts', () => {
  const files = globSync('src/renderer/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(100);
  const reading = files.filter((file) => /\b(?:ctrlKey|metaKey)\b/.test(readFileSync(file, 'utf8')));
  expect(reading.toSorted()).toEqual(['src/renderer/keyboard/accelerator.ts', 'src/renderer/keyboard/key-events.ts']);
});
