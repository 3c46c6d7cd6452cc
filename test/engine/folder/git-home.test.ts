/** Where the settings of the user's git are, by the environment and the disk. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitHomeOf } from '../../../src/engine/folder/git-home.ts';

const on =
  (platform: NodeJS.Platform, environment: Readonly<Record<string, string>>) =>
  (...files: readonly string[]) =>
    gitHomeOf(environment, { platform, exists: (path) => files.includes(path) });

describe('on Windows, as Git for Windows', () => {
  const ENVIRONMENT = {
    HomeDrive: 'H:',
    HomePath: '\\me',
    UserProfile: 'C:\\Users\\me',
    SystemRoot: 'C:\\Windows',
    ProgramFiles: 'C:\\Program Files',
    LocalAppData: 'C:\\Users\\me\\AppData\\Local',
    AppData: 'C:\\Users\\me\\AppData\\Roaming',
    Path: '.;tools;C:\\Windows;D:\\Git\\cmd;E:\\bin',
  };
  const windows = on('win32', ENVIRONMENT);

  it('the home is HOME, else the home drive if it is there and not that of a service, else the profile', () => {
    expect(on('win32', { ...ENVIRONMENT, HOME: 'D:\\me' })('H:\\me').dir).toBe('D:\\me');
    expect(windows('H:\\me').dir).toBe('H:\\me');
    expect(windows().dir).toBe('C:\\Users\\me');
    const service = { ...ENVIRONMENT, HomeDrive: 'C:', HomePath: '\\Windows\\system32' };
    expect(on('win32', service)('C:\\Windows\\system32').dir).toBe('C:\\Users\\me');
    expect(on('win32', {})().dir).toBe(null);
  });

  const systemConfigs = (...files: readonly string[]) =>
    windows(...files).configs.filter((path) => path.endsWith('gitconfig') && !path.endsWith('.gitconfig'));

  it.each([
    ['C:\\Program Files\\Git\\cmd\\git.exe', 'C:\\Program Files\\Git\\etc\\gitconfig'],
    [
      'C:\\Users\\me\\AppData\\Local\\Programs\\Git\\cmd\\git.exe',
      'C:\\Users\\me\\AppData\\Local\\Programs\\Git\\etc\\gitconfig',
    ],
    ['D:\\Git\\cmd\\git.exe', 'D:\\Git\\etc\\gitconfig'],
  ])('the settings of the system are those of %s', (program, config) => {
    expect(systemConfigs(program)).toEqual([config]);
  });

  it.each(['cmd', 'bin', 'mingw64\\bin', 'usr\\bin', 'CMD\\'])('also where PATH has its folder %s', (folder) => {
    const path = `X:\\My Git\\${folder}`;
    const found = on('win32', { PATH: path })(`${path.replace(/\\$/, '')}\\git.exe`);
    expect(found.configs).toEqual(['X:\\My Git\\etc\\gitconfig']);
  });

  it('the git in PATH comes before one that is not, and only one counts', () => {
    expect(systemConfigs('C:\\Program Files\\Git\\cmd\\git.exe', 'D:\\Git\\cmd\\git.exe')).toEqual([
      'D:\\Git\\etc\\gitconfig',
    ]);
  });

  it('no file counts that any user may make: in the current folder, or in the root of a drive', () => {
    expect(
      systemConfigs('git.exe', '.\\git.exe', 'tools\\git.exe', 'C:\\Windows\\git.exe', 'E:\\bin\\git.exe'),
    ).toEqual([]);
    expect(on('win32', { ...ENVIRONMENT, GIT_CONFIG_GLOBAL: '/dev/null' })().configs).toEqual([]);
  });

  it('the settings and the ignore file of the user may be in the application data', () => {
    const home = 'C:\\Users\\me';
    expect(windows()).toMatchObject({
      configs: [join(home, '.config/git/config'), join(ENVIRONMENT.AppData, 'Git/config'), join(home, '.gitconfig')],
      ignoreFiles: [join(home, '.config/git/ignore'), join(ENVIRONMENT.AppData, 'Git/ignore')],
    });
    expect(on('win32', { ...ENVIRONMENT, XDG_CONFIG_HOME: 'D:\\xdg' })().ignoreFiles).toEqual([
      join('D:\\xdg', 'git/ignore'),
    ]);
  });

  it('the prefix is the folder of its programs', () => {
    expect(windows('D:\\Git\\cmd\\git.exe', 'D:\\Git\\clangarm64').prefix).toBe('D:\\Git\\clangarm64');
    expect(windows().prefix).toBe(null);
  });
});

describe('elsewhere', () => {
  it.each([
    ['/usr/bin/git', '/usr', ['/etc/gitconfig']],
    ['/bin/git', '/usr', ['/etc/gitconfig']],
    ['/opt/homebrew/bin/git', '/opt/homebrew', ['/etc/gitconfig', '/opt/homebrew/etc/gitconfig']],
    ['bin/git', null, ['/etc/gitconfig']],
  ])('the settings of the system are those of %s', (program, prefix, configs) => {
    const found = on('darwin', { PATH: 'bin:/opt/homebrew/bin:/usr/bin:/bin' })(program);
    expect(found).toEqual({ dir: null, user: null, prefix, configs, ignoreFiles: [], platform: 'darwin' });
  });
});
