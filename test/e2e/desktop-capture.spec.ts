/**
 * A capture from end to end: the built desktop app on the Electron double, its overlay windows as Chromium pages, and a
 * real server. Runs once on a real X screen and once on two displays of different scales.
 */
import { join } from 'node:path';
import sharp from 'sharp';
import type { Area } from '../../src/ipc/protocol/capture.ts';
import { launchDesktop, makeDoubleBinary } from '../support/desktop/desktop-app.ts';
import { captureScenario, type Stage, type StageDisplay } from '../support/desktop/desktop-scenario.ts';
import type { ScreenDouble } from '../support/electron/desktop.ts';
import { openXScreen } from '../support/screen/x-screen.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { makeProfile } from './app-process.ts';

interface Surroundings {
  readonly screens: readonly ScreenDouble[];
  /** The X server that the app itself looks at; null: it looks through Electron. */
  readonly display: string | null;
  readonly displays: readonly StageDisplay[];
  close(): Promise<void>;
}

const stageOf = async (
  { screens, display, displays, close }: Surroundings,
  profile: ReturnType<typeof makeProfile>,
): Promise<Stage> => {
  const binary = makeDoubleBinary();
  const desktop = await launchDesktop({
    binary: binary.path,
    profile: profile.path,
    args: ['--hidden'],
    env: {
      ELECTRON_DOUBLE: JSON.stringify({ screens }),
      DISPLAY: display ?? '',
      WAYLAND_DISPLAY: '',
      XDG_SESSION_TYPE: '',
    },
  });
  return {
    desktop,
    displays,
    press: (accelerator) =>
      desktop.electron.evaluate((electron, pressed) => {
        const press = (electron as unknown as typeof import('../support/electron/index.ts')).desktop.hotkeys.get(
          pressed,
        );
        if (!press) throw new Error(`Nobody listens to ${pressed}`);
        press();
      }, accelerator),
    async close() {
      await desktop.close();
      await close();
      binary.remove();
      profile.remove();
    },
  };
};

const AREA: Area = { x: 333, y: 217, width: 501, height: 303 };

const openOnX = async (): Promise<Stage> => {
  const [width, height] = [1280, 800];
  const screen = await openXScreen(width, height);
  const shows = { display: screen.display };
  return stageOf(
    {
      screens: [{ bounds: { x: 0, y: 0, width, height }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 }, shows }],
      display: screen.display,
      displays: [{ number: 1, scale: 1, area: AREA, pixels: async () => screen.pixels(AREA) }],
      close: screen.close,
    },
    makeProfile(),
  );
};

const openOnTwoScreens = async (): Promise<Stage> => {
  const profile = makeProfile();
  const random = seededRandom(11);
  const pictureOf = async (name: string, width: number, height: number) => {
    const data = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)));
    const picture = join(profile.path, name);
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toFile(picture);
    const pixels = ({ x, y, ...size }: Area): Promise<Buffer> =>
      sharp(picture)
        .extract({ left: x, top: y, ...size })
        .raw()
        .toBuffer();
    return { picture, pixels };
  };
  const plain = await pictureOf('plain.png', 1024, 768);
  const fine = await pictureOf('fine.png', 1600, 1000);
  const edge: Area = { x: 1099, y: 697, width: 501, height: 303 };
  return stageOf(
    {
      screens: [
        {
          bounds: { x: 0, y: 0, width: 1024, height: 768 },
          scaleFactor: 1,
          nativeOrigin: { x: 0, y: 0 },
          shows: plain,
        },
        {
          bounds: { x: 1024, y: 0, width: 1280, height: 800 },
          scaleFactor: 1.25,
          nativeOrigin: { x: 1024, y: 0 },
          shows: fine,
        },
      ],
      display: null,
      displays: [
        { number: 1, scale: 1, area: AREA, pixels: () => plain.pixels(AREA) },
        { number: 2, scale: 1.25, area: edge, pixels: () => fine.pixels(edge) },
      ],
      close: async () => {},
    },
    profile,
  );
};

captureScenario('on one screen, seen through X', { open: openOnX, recording: 'yes' });
captureScenario('on two screens of scale 1 and 1.25, seen through Electron', {
  open: openOnTwoScreens,
  recording: 'no',
});
