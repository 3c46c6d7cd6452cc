/** The report for support requests shows which settings were changed, and nothing that the user has written. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/ipc/protocol/settings.ts';
import { openEngine } from '../../support/engine.ts';
import { must } from '../../support/results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('says that a setting with a name, a path or another text was changed, without its value', async () => {
  const { engine } = await openEngine(join(temporaryFolder('report'), 'profile'));
  const link = { tags: ['Anna-tag'] };
  const written = {
    saveFolder: '/home/Anna-folder',
    nameTemplate: 'Anna-name {date}',
    linkTemplate: '[Anna-link]({url})',
    recordingCamera: 'Anna-phone Camera',
    presets: [{ id: 'Anna-id', name: 'Anna-preset', link }],
    defaultPreset: 'Anna-id',
  };
  must(await engine.settings.update({ ...written, recordingCountdownSeconds: 7, theme: 'dark' }));
  const { text } = must(await engine.profile.report());
  expect(text).not.toContain('Anna');
  for (const name of Object.keys(written)) expect(text).toContain(`  ${name}: (changed)`);
  expect(text).toContain('  recordingCountdownSeconds: 7');
  expect(text).toContain('  theme: "dark"');
  expect(Object.keys(DEFAULT_SETTINGS)).toEqual(expect.arrayContaining(Object.keys(written)));
  await engine.close();
});
