/** The app's own settings: schema and defaults. What the account decides (limits, plan) is not here. */
import Type, { type Static } from 'typebox';
import { literals, Nullable, Visibility } from '../../api/content.ts';
import { LANGUAGES } from '../../common/languages.ts';
import { AfterCapture } from './capture.ts';
import { LinkPreferences } from './link-settings.ts';
import { FitChoice } from './queue-item.ts';
import { AudioSource } from './recording.ts';

/** The palettes of the service's own pages. */
export const PALETTES = ['linkshot', 'ocean', 'forest', 'sunset', 'graphite'] as const;
const Palette = literals(...PALETTES);
/** What a new person is led through, in this order. */
export const FIRST_STEPS = ['connect', 'hotkey', 'link'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Electron's form, such as `CommandOrControl+Shift+X`. */
const Accelerator = Type.String({ minLength: 1, maxLength: 100 });

export const Settings = Type.Object({
  language: literals('system', ...LANGUAGES),
  theme: literals('system', 'light', 'dark'),
  libraryLook: literals('list', 'grid'),
  /** Copy the link of a finished item to the clipboard; null: as the account says. */
  copyLink: Nullable(Type.Boolean()),
  /** Null: the account's default. */
  visibility: Nullable(Visibility),
  /** Items that upload at the same time. */
  itemsAtOnce: Type.Integer({ minimum: 1, maximum: 3 }),
  /** Accelerators. Of `region` null: the account's `captureHotkey`; of the others: none. */
  hotkeys: Type.Object({
    region: Nullable(Accelerator),
    window: Nullable(Accelerator),
    screen: Nullable(Accelerator),
    all: Nullable(Accelerator),
    last: Nullable(Accelerator),
    record: Nullable(Accelerator),
  }),
  capturePointer: literals('hide', 'show'),
  captureDelaySeconds: Type.Integer({ minimum: 0, maximum: 60 }),
  /** Open the editor before anything is done with a picture. */
  editAfterCapture: Type.Boolean(),
  afterCapture: AfterCapture,
  /** Absolute path; null: the person's folder for pictures. */
  saveFolder: Nullable(Type.String({ minLength: 1, maxLength: 4096 })),
  /** Of saved and published captures, without ending: {date}, {time}, {mode}, {width}, {height}, {title}, {n}. */
  nameTemplate: Type.String({ minLength: 1, maxLength: 200 }),
  recordingSound: AudioSource,
  recordingPointer: literals('hide', 'show'),
  recordingCountdownSeconds: Type.Integer({ minimum: 0, maximum: 10 }),
  /** Look at a recording, and trim it, before it is published. */
  reviewRecordings: Type.Boolean(),
  /** The little window that tells of a capture; never over a program that fills the screen. */
  toast: literals('show', 'hide'),
  startAtLogin: Type.Boolean(),
  /** Colours of the window; null: the account's `palette`. */
  palette: Nullable(Palette),
  /** Take place, camera and the like out of images before they are sent; colours and orientation stay. */
  stripMetadata: Type.Boolean(),
  /** Ask before a video is encoded anew to fit the service, and say what that costs. */
  askBeforeFit: Type.Boolean(),
  /** How a video is made to fit where nobody chose for this one. */
  fit: FitChoice,
  /** The beginning with Linkshot. Once it is `over`, it comes only when it is asked for. */
  firstSteps: Type.Object({
    state: literals('open', 'over'),
    done: Type.Array(literals(...FIRST_STEPS)),
    skipped: Type.Array(literals(...FIRST_STEPS)),
  }),
  ...LinkPreferences,
});
export type Settings = Static<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = {
  language: 'system',
  theme: 'system',
  libraryLook: 'list',
  copyLink: null,
  visibility: null,
  itemsAtOnce: 2,
  hotkeys: { region: null, window: null, screen: null, all: null, last: null, record: null },
  capturePointer: 'hide',
  captureDelaySeconds: 0,
  editAfterCapture: false,
  afterCapture: { publish: true, copyPicture: false, save: false },
  saveFolder: null,
  nameTemplate: 'Screenshot {date} {time}',
  recordingSound: 'none',
  recordingPointer: 'show',
  recordingCountdownSeconds: 3,
  reviewRecordings: true,
  toast: 'show',
  startAtLogin: false,
  palette: null,
  stripMetadata: true,
  askBeforeFit: true,
  fit: 'balanced',
  firstSteps: { state: 'open', done: [], skipped: [] },
  linkFormat: 'plain',
  linkTemplate: '{title}: {url}',
  presets: [],
  defaultPreset: null,
};

/** The settings as they take effect: what the person chose here, else what the account says. */
export const Effective = Type.Object({
  copyLink: Type.Boolean(),
  /** Null: no account is known yet. */
  visibility: Nullable(Visibility),
  /** Of the capture of a region. Null: there is none. */
  hotkey: Nullable(Type.String()),
  palette: Palette,
});
export type Effective = Static<typeof Effective>;
