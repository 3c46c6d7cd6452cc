/** Settings of a profile that another version has written. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/engine/node-ports.ts';
import { openProfile } from '../../src/engine/profile/open-profile.ts';
import { createSettings, readSettings } from '../../src/engine/settings/settings-store.ts';
import type { Preset } from '../../src/ipc/protocol/link-settings.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/ipc/protocol/settings.ts';
import { must } from '../support/results.ts';
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

const open = (name: string) => {
  const opened = openProfile(join(temporaryFolder(name), 'profile'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  onTestFinished(() => opened.value.close());
  return opened.value;
};
const secret: Preset = { id: 'p-1', name: 'secret', link: { visibility: 'private', oneTime: true } };
const never: Preset = { id: 'p-2', name: 'never', link: { visibility: 'public', oneTime: true } };

it('name their default preset by its id or its name, and have none when it goes', () => {
  const settings = createSettings(open('engine-default-preset'), () => {});
  must(settings.update({ presets: [secret], defaultPreset: 'secret' }));
  expect(settings.get().defaultPreset).toBe('p-1');
  expect(settings.update({ defaultPreset: 'another' })).toMatchObject({
    error: { code: 'COMMAND_INVALID', detail: expect.stringContaining('another') },
  });
  expect(settings.get().defaultPreset).toBe('p-1');
  must(settings.update({ presets: [] }));
  expect(settings.get().defaultPreset).toBeNull();
});

it('refuse a preset that the service refuses, and a folder that is not absolute, as a whole', () => {
  const settings = createSettings(open('engine-refused-settings'), () => {});
  const refused: readonly (readonly [change: Partial<Settings>, named: string])[] = [
    [{ theme: 'dark', presets: [secret, never] }, 'never'],
    [{ theme: 'dark', saveFolder: 'shots' }, 'shots'],
  ];
  for (const [change, named] of refused)
    expect(settings.update(change)).toMatchObject({
      error: { code: 'COMMAND_INVALID', detail: expect.stringContaining(named) },
    });
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
});

it('that an earlier version accepted without effect are read without them, and do not prevent a change of others', () => {
  const profile = open('engine-earlier-settings');
  const put = profile.database.prepare("INSERT OR REPLACE INTO persisted_values (name, value) VALUES ('settings', ?)");
  put.run(JSON.stringify({ theme: 'dark', presets: [never], defaultPreset: 'gone', saveFolder: 'shots' }));
  const settings = createSettings(profile, () => {});
  expect(settings.get()).toMatchObject({ theme: 'dark', presets: [never], defaultPreset: null, saveFolder: null });
  must(settings.update({ presets: [never, secret] }));
  put.run(JSON.stringify({ presets: [secret], defaultPreset: 'secret' }));
  expect(readSettings(profile).defaultPreset).toBe('p-1');
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
