/** Expectations of tests about files, signals and programs on Windows, and which tests need other systems. */
import { it, type TestAPI } from 'vitest';

export const isWindows = process.platform === 'win32';

/** What Windows lacks. */
type Need =
  | 'modes of files'
  | 'signals'
  | 'sockets and pipes among files'
  | 'programs of Linux'
  | 'mount points'
  | 'sync of folders'
  | 'measurement of the processor time of other programs'
  | 'list of open files in /proc'
  | 'memory limit that is set by prlimit'
  | 'devices among files'
  | 'links without a right of their own'
  | 'names with quotes and line ends'
  | 'way to replace a file that is open'
  | 'git on this machine'
  | 'npm on this machine'
  | 'ffmpeg with WebP on this machine'
  | 'Chromium of Debian'
  | 'read-only folder /proc'
  | 'folder that fails to be read as a file'
  | 'way to be without a registry'
  | 'desktop without a key store';

/** The end of a title: why the test is skipped here. */
export const unless = (need: Need): string => (isWindows ? ` [skipped: Windows has no ${need}]` : '');

/** `it` if the system has what the test needs; on Windows a skipped test that names what is missing. */
export const itWith = (need: Need): TestAPI =>
  isWindows
    ? (Object.assign((title: string) => it.skip(title + unless(need)), {
        each: (cases: readonly unknown[]) => (title: string) => it.skip.each(cases)(title + unless(need), () => {}),
      }) as unknown as TestAPI)
    : it;

/** The mode reported for a file or folder created with this one: on Windows it has no permissions. */
export const shownMode = (mode: number): number => (isWindows ? 0o666 : mode);
