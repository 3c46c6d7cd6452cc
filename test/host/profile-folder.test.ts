/** The profile of a user is where the option, the variable or the system says; an empty word says nothing. */
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { profileFolder } from '../../src/host/profile-folder.ts';

const at = (platform: NodeJS.Platform, environment: Record<string, string>, chosen?: string): string =>
  profileFolder(chosen, { platform, environment, home: '/home/ann', cwd: '/work' });

it('is that of the option, then of the variable, then of the system', () => {
  const environment = { LINKSHOT_PROFILE: 'named', XDG_CONFIG_HOME: '/config', APPDATA: '/roaming' };
  expect(at('linux', environment, 'chosen')).toBe(resolve('/work', 'chosen'));
  expect(at('linux', environment)).toBe(resolve('/work', 'named'));
  expect(at('linux', { XDG_CONFIG_HOME: '/config' })).toBe(join('/config', 'linkshot'));
  expect(at('win32', { APPDATA: '/roaming' })).toBe(join('/roaming', 'Linkshot'));
});

it('is the default of the user where a variable is empty or missing', () => {
  for (const environment of [{}, { LINKSHOT_PROFILE: '', XDG_CONFIG_HOME: '', APPDATA: '' }]) {
    expect(at('linux', environment)).toBe(join('/home/ann', '.config', 'linkshot'));
    expect(at('win32', environment)).toBe(join('/home/ann', 'AppData', 'Roaming', 'Linkshot'));
    expect(at('darwin', environment)).toBe(join('/home/ann', 'Library', 'Application Support', 'Linkshot'));
  }
});
