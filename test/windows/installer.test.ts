/**
 * What packaging/installer.nsh adds to the installer and the uninstaller, compiled by Debian's makensis and run as programs of
 * Windows: "Open with" in the registry, and the question whether the PATH gets the command. A stand-in takes the app's place and
 * writes down what it is asked.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runWindowsProgram, windowsPath } from '../../scripts/windows/windows-process.ts';
import { EARLIER_KEY, KEY, NAME } from '../../src/engine/hotkeys/snipping-tool.ts';
import { onDriveC, work } from './support/linkshot.ts';

const MACROS = resolve('packaging/installer.nsh');
const hasCompiler = spawnSync('makensis', ['-VERSION']).status === 0;
const why = hasCompiler ? '' : ' [skipped: no makensis, which is in the package nsis]';
const APPLICATION = String.raw`HKCU\Software\Classes\Applications\Linkshot.exe`;
const program = onDriveC('installed');
const asked = join(program.here, 'asked.txt');

/** For 64 bits, as the Wine of the tests runs no program of 32; electron-builder's installers have 32. */
const compile = (name: string, script: string): string => {
  const source = join(work, `${name}.nsi`);
  const compiled = join(work, `${name}.exe`);
  writeFileSync(
    source,
    `Target amd64-unicode\nUnicode true\nName Linkshot\nOutFile "${compiled}"\nRequestExecutionLevel user\n${script}`,
  );
  const { status, stdout } = spawnSync('makensis', ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', source], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`makensis ${name}: ${stdout}`);
  return compiled;
};

/** Its words are all it is: it appends them to a file beside itself. */
const STAND_IN = String.raw`
SilentInstall silent
!include FileFunc.nsh
Section
  $\{GetParameters} $0
  FileOpen $1 "$EXEDIR\asked.txt" a
  FileSeek $1 0 END
  FileWrite $1 "$0$\r$\n"
  FileClose $1
SectionEnd
`.replaceAll('$\\{', '$' + '{');

/** What electron-builder's own script defines around the macros. `answer`: of the question, to a silent installer. */
const around = (macro: string, answer: 'IDYES' | 'IDNO'): string => {
  const macros = join(work, `installer-${answer}.nsh`);
  writeFileSync(macros, readFileSync(MACROS, 'utf8').replace('/SD IDNO', `/SD ${answer}`));
  return `
    SilentInstall silent
    !include LogicLib.nsh
    !include FileFunc.nsh
    !define APP_ID "app.linkshot"
    !define PRODUCT_NAME "Linkshot"
    !define APP_EXECUTABLE_FILENAME "Linkshot.exe"
    Var updated
    !define isUpdated '$updated == "yes"'
    !include "${macros}"
    Function .onInit
      SetShellVarContext current
      StrCpy $INSTDIR "${program.windows}"
      $\{GetParameters} $0
      $\{If} $0 == "/updated"
        StrCpy $updated "yes"
      $\{EndIf}
    FunctionEnd
    Section
      !insertmacro ${macro}
    SectionEnd
  `.replaceAll('$\\{', '$' + '{');
};

const words = (): readonly string[] => (existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\r\n') : []);
const isInRegistry = async (key: string): Promise<boolean> =>
  (await runWindowsProgram('reg.exe', ['query', key])).code === 0;

describe.skipIf(!hasCompiler)(`the installer's script${why}`, () => {
  let standIn = '';
  const setup = { IDYES: '', IDNO: '' };
  let uninstaller = '';
  const run = async (compiled: string, ...options: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await runWindowsProgram(windowsPath(compiled), options);
    expect(code, `${stdout}${stderr}`).toBe(0);
  };
  beforeAll(() => {
    standIn = compile('stand-in', STAND_IN);
    setup.IDYES = compile('setup-yes', around('customInstall', 'IDYES'));
    setup.IDNO = compile('setup-no', around('customInstall', 'IDNO'));
    uninstaller = compile('uninstall', around('customUnInstall', 'IDNO'));
  });
  beforeEach(() => {
    rmSync(program.here, { recursive: true, force: true });
    mkdirSync(program.here, { recursive: true });
    copyFileSync(standIn, join(program.here, 'Linkshot.exe'));
  });
  afterAll(() => rmSync(program.here, { recursive: true, force: true }));

  it('asks the program to add its command to the PATH only where the user wants it', async () => {
    await run(setup.IDNO);
    expect(words()).toEqual([]);
    await run(setup.IDYES);
    expect(words()).toEqual(['--add-to-path']);
  });

  it('asks nobody again when the program is updated', async () => {
    await run(setup.IDYES, '/updated');
    await run(uninstaller, '/updated');
    expect(words()).toEqual([]);
    expect(await isInRegistry(APPLICATION)).toBe(true);
  });

  it('takes the command out of the PATH, and all keys out of the registry, with the program', async () => {
    await run(setup.IDNO);
    expect(await isInRegistry(String.raw`${APPLICATION}\SupportedTypes`)).toBe(true);
    await run(uninstaller);
    expect(words()).toEqual(['--remove-from-path']);
    expect(await isInRegistry(APPLICATION)).toBe(false);
  });

  it.each([
    ['its earlier value', 1, 0, '0x1'],
    ['its earlier absence', null, 0, null],
    ['what the user has set since', 1, 2, '0x2'],
  ])('gives the Print Screen key back to Windows with the program: %s', async (_, earlier, current, expected) => {
    const reg = (...words: readonly string[]) => runWindowsProgram('reg.exe', words);
    const set = (key: string, value: number) => reg('add', key, '/v', NAME, '/t', 'REG_DWORD', '/d', `${value}`, '/f');
    await reg('add', EARLIER_KEY, '/ve', '/d', 'before Linkshot', '/f');
    if (earlier !== null) await set(EARLIER_KEY, earlier);
    await set(KEY, current);
    await run(uninstaller);
    const { stdout } = await reg('query', KEY, '/v', NAME);
    expect(/REG_DWORD\s+(0x\w+)/.exec(stdout)?.[1] ?? null).toBe(expected);
    expect(await isInRegistry(EARLIER_KEY)).toBe(false);
    await reg('delete', KEY, '/v', NAME, '/f');
  });
});
