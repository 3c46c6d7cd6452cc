/** Settings of a profile that another version has written. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/engine/node-ports.ts';
import { openProfile } from '../../src/engine/profile/open-profile.ts';
import { createSettings, readSettings } from '../../src/engine/settings/settings-store.ts';
import { DEFAULT_SETTINGS } from '../../src/ipc/protocol/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('are kept where an older version knew fewer of them, and are reset where they cannot be read', () => {
  const opened = openProfile(join(temporaryFolder('engine-settings'), 'profile'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const profile = opened.value;
  const put = profile.database.prepare("INSERT OR REPLACE INTO persisted_values (name, value) VALUES ('settings', ?)");
  put.run(JSON.stringify({ language: 'ru', theme: 'dark' }));
  // A user who has changed a setting knows the app: onboarding is skipped.
  const firstSteps = { state: 'over', done: [], skipped: [] } as const;
  const kept = { ...DEFAULT_SETTINGS, firstSteps, language: 'ru', theme: 'dark' };
  expect(createSettings(profile, () => {}).get()).toEqual(kept);
  expect(readSettings(profile)).toEqual(kept);
  put.run(JSON.stringify({ language: 'Volapuk' }));
  expect(readSettings(profile)).toEqual(DEFAULT_SETTINGS);
  profile.close();
});

it('begin with the first steps only where nothing was ever set or published', () => {
  const opened = openProfile(join(temporaryFolder('engine-first-steps'), 'profile'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const profile = opened.value;
  expect(readSettings(profile).firstSteps.state).toBe('open');
  profile.database.prepare("INSERT INTO library (id, name, linked_at, content) VALUES ('a', 'a.png', 1, '{}')").run();
  expect(readSettings(profile).firstSteps.state).toBe('over');
  profile.close();
});
