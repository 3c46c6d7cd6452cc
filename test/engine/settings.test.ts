/** The settings of a profile that another version has written. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/contract/settings.ts';
import { systemClock } from '../../src/engine/defaults.ts';
import { openProfile } from '../../src/engine/profile/open.ts';
import { createSettings, readSettings } from '../../src/engine/settings/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('are kept where an older version knew fewer of them, and begin anew where they cannot be read', () => {
  const opened = openProfile(join(temporaryFolder('engine-settings'), 'profile'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const profile = opened.value;
  const put = profile.database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('settings', ?)");
  put.run(JSON.stringify({ language: 'ru', theme: 'dark' }));
  const kept = { ...DEFAULT_SETTINGS, language: 'ru', theme: 'dark' };
  expect(createSettings(profile, () => {}).get()).toEqual(kept);
  expect(readSettings(profile)).toEqual(kept);
  put.run(JSON.stringify({ language: 'Volapuk' }));
  expect(readSettings(profile)).toEqual(DEFAULT_SETTINGS);
  profile.close();
});
