/** Locating a program that is named without a folder. */
import { describe, expect, it } from 'vitest';
import { locateProgram, powershell, windowsProgram } from '../../../src/base/node/run-program.ts';

const ENVIRONMENT = { Path: '.;C:\\tools;relative\\bin;D:\\more', SystemRoot: 'C:\\Windows' };

const locatedAmong =
  (...files: readonly string[]) =>
  (program: string) =>
    locateProgram(program, ENVIRONMENT, { platform: 'win32', exists: (path) => files.includes(path) });

describe('on Windows a name without a folder', () => {
  it('is looked up in the absolute folders of PATH, in their order', () => {
    expect(locatedAmong('C:\\tools\\ffmpeg.exe', 'D:\\more\\ffmpeg.exe')('ffmpeg')).toBe('C:\\tools\\ffmpeg.exe');
    expect(locatedAmong('D:\\more\\ffmpeg.exe')('ffmpeg.exe')).toBe('D:\\more\\ffmpeg.exe');
  });

  it('is never the file in the current folder, nor in one that is named from there', () => {
    const planted = locatedAmong('ffmpeg.exe', '.\\ffmpeg.exe', 'relative\\bin\\ffmpeg.exe');
    expect(planted('ffmpeg')).toBe('C:\\Windows\\System32\\ffmpeg.exe');
  });

  it('leaves a path alone', () => {
    expect(locatedAmong()('D:\\my\\ffmpeg.exe')).toBe('D:\\my\\ffmpeg.exe');
    expect(locatedAmong()('D:/my/ffmpeg.exe')).toBe('D:/my/ffmpeg.exe');
  });
});

it('elsewhere the system looks names up, in PATH alone', () => {
  expect(locateProgram('xclip', {}, { platform: 'linux', exists: () => true })).toBe('xclip');
});

it('programs of Windows are named by their full path, also where its folder is another one', () => {
  expect(windowsProgram('reg.exe', { SYSTEMROOT: 'E:\\WinNT' })).toBe('E:\\WinNT\\System32\\reg.exe');
  expect(windowsProgram('reg.exe', {})).toBe('C:\\Windows\\System32\\reg.exe');
  expect(powershell(ENVIRONMENT)).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
});
