/** Which program is started again: the one that stays, and never another whose variables were inherited. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { portableProgram, stayingProgram } from '../../../src/main/system/staying-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder('staying-program');
const mounted = join(root, 'mount_Linksh');
mkdirSync(mounted);
const inside = join(mounted, 'linkshot');
const image = join(root, 'Linkshot.AppImage');

it('is the AppImage that this program was started from', () => {
  expect(stayingProgram({ APPIMAGE: image, APPDIR: mounted }, inside)).toBe(image);
  const link = join(root, 'link');
  symlinkSync(root, link, 'junction');
  expect(stayingProgram({ APPIMAGE: image, APPDIR: join(link, 'mount_Linksh') }, inside)).toBe(image);
});

it('is no AppImage that has started this program', () => {
  const other = join(root, 'mount_Linksh-other');
  mkdirSync(other);
  for (const APPDIR of [other, join(root, 'gone'), undefined])
    expect(stayingProgram({ APPIMAGE: '/home/mira/Editor.AppImage', APPDIR }, inside)).toBe(inside);
});

it('is the portable program of this one alone', () => {
  const portable = (name: string) => ({
    PORTABLE_EXECUTABLE_FILE: String.raw`D:\Some-portable.exe`,
    PORTABLE_EXECUTABLE_APP_FILENAME: name,
  });
  expect(stayingProgram(portable('Linkshot'), inside)).toBe(String.raw`D:\Some-portable.exe`);
  expect(portableProgram(portable('linkshot'))).toBe(String.raw`D:\Some-portable.exe`);
  expect(stayingProgram(portable('editor'), inside)).toBe(inside);
  expect(portableProgram(portable('editor'))).toBeNull();
  expect(portableProgram({})).toBeNull();
});
