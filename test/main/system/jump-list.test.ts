/** The jump list of Windows, and the command lines that Windows starts. */
import type { App } from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import { desktopTextsFor } from '../../../src/main/desktop-texts.ts';
import { readLink } from '../../../src/main/system/deep-link.ts';
import { createJumpList } from '../../../src/main/system/jump-list.ts';
import { readStart } from '../../../src/main/system/launch-args.ts';
import { windowsCommandLine } from '../../../src/main/system/quote-windows-arguments.ts';
import { app, desktop, resetDesktop } from '../../support/electron/index.ts';

beforeEach(resetDesktop);

const open = () => {
  let language: 'en' | 'ru' = 'en';
  let calls = 0;
  const log: string[] = [];
  const counted: Pick<App, 'setUserTasks'> = {
    setUserTasks(tasks) {
      calls += 1;
      return app.setUserTasks(tasks);
    },
  };
  const follow = createJumpList({
    ...{ app: counted, launch: { program: String.raw`C:\a b\Linkshot.exe`, args: ['--profile', String.raw`D:\c`] } },
    messages: () => desktopTextsFor(language, []),
    log: (line) => log.push(line),
  });
  const speak = (next: typeof language): void => {
    language = next;
  };
  return { follow, calls: () => calls, log, speak };
};

describe('the jump list', () => {
  it('captures, and opens the library and the settings, by links that the app accepts', () => {
    open().follow();
    expect(desktop.userTasks.map(({ title }) => title)).toEqual(['Capture a region', 'Library', 'Settings']);
    for (const { arguments: line, program } of desktop.userTasks) {
      expect(program).toBe(String.raw`C:\a b\Linkshot.exe`);
      const words = line.split(' ').map((word) => word.slice(1, -1));
      expect(words.slice(0, 3)).toEqual(['--profile', String.raw`D:\c`, '--']);
      const { link } = readStart(words, { cwd: '/', appPath: null });
      expect(readLink(link ?? '')).not.toBeNull();
    }
  });

  it('is set once, and again in another language', () => {
    const { follow, calls, speak } = open();
    follow();
    follow();
    expect(calls()).toBe(1);
    speak('ru');
    follow();
    expect(calls()).toBe(2);
    expect(desktop.userTasks[0]?.title).toBe('Снять область');
  });
});

describe('a command line of Windows', () => {
  it.each([
    [['a', 'b c'], '"a" "b c"'],
    [[''], '""'],
    [['say "hi"'], String.raw`"say \"hi\""`],
    [['D:\\'], String.raw`"D:\\"`],
    [['a\\"b'], String.raw`"a\\\"b"`],
    [['a\\b'], String.raw`"a\b"`],
  ])('of %o is %s', (words, line) => {
    expect(windowsCommandLine(words)).toBe(line);
  });
});
