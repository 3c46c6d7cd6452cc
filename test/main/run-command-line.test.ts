/** Which starts of the packed program are command lines. */
import { expect, it } from 'vitest';
import { commandLineIn } from '../../src/main/run-command-line.ts';

it.each([
  [
    ['--command-line', '--', 'upload', 'a b.png', '--json'],
    ['upload', 'a b.png', '--json'],
  ],
  [['--command-line', '--ozone-platform=headless', '--', 'status'], ['status']],
  [
    ['--command-line', '--', 'note', '--', '-x'],
    ['note', '--', '-x'],
  ],
  [['--command-line', '--'], []],
])('%j is a command line', (args, words) => {
  expect(commandLineIn(args)).toEqual(words);
});

it.each([
  [[]],
  [['picture.png']],
  [['linkshot://open/library', '--command-line', '--', 'upload', 'secret.txt']],
  [['picture.png', '--command-line', '--', 'forget']],
])('%j is a start of the app, whatever a page or a file name brings along', (args) => {
  expect(commandLineIn(args)).toBeNull();
});
