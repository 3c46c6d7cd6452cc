/** What tests of files, signals and programs expect on Windows, and which of them only other systems can run. */
import { it, type TestAPI } from 'vitest';

export const isWindows = process.platform === 'win32';

/** What Windows lacks. */
type Need =
  | 'modes of files'
  | 'signals'
  | 'sockets and pipes among files'
  | 'programs of Linux'
  | 'mount points'
  | 'desktop without a key store';

/** The end of a title: why the test is skipped here. */
export const unless = (need: Need): string => (isWindows ? ` [skipped: Windows has no ${need}]` : '');

/** `it` where the system has what the test needs; on Windows a skipped test that says what is missing. */
export const itWith = (need: Need): TestAPI =>
  isWindows ? (Object.assign((title: string) => it.skip(title + unless(need)), it.skip) as TestAPI) : it;

/** The mode that a file or folder shows that was made with this one: on Windows rights are no part of it. */
export const shownMode = (mode: number): number => (isWindows ? 0o666 : mode);

/** A limit for many processes that start one after the other: on Windows, and under Wine more so, each takes longer. */
export const forStarts = (milliseconds: number): number => (isWindows ? 6 * milliseconds : milliseconds);
