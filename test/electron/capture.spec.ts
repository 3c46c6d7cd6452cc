/** The scenario of the desktop app on Electron itself, wherever its binary is; `npm test` counts it as skipped elsewhere. */
import { test } from '@playwright/test';
import { makeProfile } from '../e2e/app-process.ts';
import { launchDesktop } from '../support/desktop/desktop-app.ts';
import { captureScenario, type Stage } from '../support/desktop/desktop-scenario.ts';
import { electronBinary } from './electron-binary.ts';
import { pressKeys } from './press-keys.ts';

const binary = electronBinary();
// Once, by the process that gathers the tests.
if (binary === null && process.env['TEST_WORKER_INDEX'] === undefined) console.log('skipped: no Electron binary');
test.skip(binary === null, 'no Electron binary');

const open = async (): Promise<Stage> => {
  const profile = makeProfile();
  const desktop = await launchDesktop({ binary: binary ?? '', profile: profile.path, args: ['--hidden'] });
  const displays = await desktop.electron.evaluate(({ screen }) => {
    const primary = screen.getPrimaryDisplay();
    return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)].map(
      ({ scaleFactor }, index) => ({
        number: index + 1,
        scale: scaleFactor,
        area: { x: 133, y: 117, width: 301, height: 203 },
        // Nobody else tells what is on this screen while the app looks at it.
        pixels: null,
      }),
    );
  });
  return {
    desktop,
    displays,
    press: pressKeys,
    async close() {
      await desktop.close();
      profile.remove();
    },
  };
};

captureScenario('on the screens of this computer', { open, recording: 'yes' });
