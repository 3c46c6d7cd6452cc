/**
 * The app's own settings: their schema and defaults, and the effective values, which come from the account where the
 * user has made no choice.
 */
import Type, { type Static } from 'typebox';
import type { User } from '../../api/account.ts';
import { Visibility } from '../../api/content.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { PALETTES } from '../../api/page-palettes.ts';
import { LANGUAGES } from '../../common/ui-languages.ts';
import { AfterCapture } from './capture.ts';
import { BACKDROP_PRESETS_MAX, Backdrop } from './drawing.ts';
import { LinkPreferences } from './link-settings.ts';
import { FitChoice } from './queue-item.ts';
import { AudioSource, CameraCorner, CameraName } from './recording.ts';

const Palette = literals(...PALETTES);
/** The onboarding steps of a new user, in this order. */
export const FIRST_STEPS = ['connect', 'hotkey', 'link'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Electron's form, such as `CommandOrControl+Shift+X`. */
const Accelerator = Type.String({ minLength: 1, maxLength: 100 });

export const Settings = Type.Object({
  language: literals('system', ...LANGUAGES),
  theme: literals('system', 'light', 'dark'),
  libraryLook: literals('list', 'grid'),
  /** Copy the link of a finished item to the clipboard; null: the account's setting. */
  copyLink: Nullable(Type.Boolean()),
  /** Null: the account's default. */
  visibility: Nullable(Visibility),
  /** Concurrent uploads of items. */
  itemsAtOnce: Type.Integer({ minimum: 1, maximum: 3 }),
  /** Accelerators. `region` null: the account's `captureHotkey`; others null: unset. */
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
  /** Open the editor first for every screenshot. */
  editAfterCapture: Type.Boolean(),
  afterCapture: AfterCapture,
  /** While a capture is open in the editor, copy the edited image to the clipboard after each change. */
  copyWhileEditing: Type.Boolean(),
  /** The background of an edited picture that was used last; null: none yet. */
  backdrop: Nullable(Backdrop),
  backdropPresets: Type.Immutable(Type.Array(Backdrop, { maxItems: BACKDROP_PRESETS_MAX })),
  /** Absolute path; null: the user's folder for pictures. */
  saveFolder: Nullable(Type.String({ minLength: 1, maxLength: 4096 })),
  /**
   * Name of saved and published captures, without extension: {date}, {time}, {mode}, {width}, {height}, {title}, {n}.
   */
  nameTemplate: Type.String({ minLength: 1, maxLength: 200 }),
  recordingSound: AudioSource,
  recordingPointer: literals('hide', 'show'),
  /** Mark each click with a ring, where the platform can. */
  recordingClicks: literals('hide', 'show'),
  /** Show shortcuts and special keys, never typed characters, where the platform can. */
  recordingKeys: literals('hide', 'show'),
  /** The camera that is shown in recordings; null: none. */
  recordingCamera: Nullable(CameraName),
  recordingCameraCorner: CameraCorner,
  recordingCountdownSeconds: Type.Integer({ minimum: 0, maximum: 10 }),
  /** Review, and trim, a recording before it is published. */
  reviewRecordings: Type.Boolean(),
  /** The small notification window of a capture; never over a full-screen program. */
  toast: literals('show', 'hide'),
  startAtLogin: Type.Boolean(),
  /** What closing the window does where the desktop shows no tray icon. */
  closeWithoutTray: literals('ask', 'keep', 'quit'),
  /** Windows: an entry in the context menu of files and folders, and in "Send to". */
  explorerMenu: Type.Boolean(),
  /** Windows: `linkshot` in every console. */
  terminalCommand: Type.Boolean(),
  /** Colours of the window; null: the account's `palette`. */
  palette: Nullable(Palette),
  /** Remove location, camera data and the like from images before they are sent; colours and orientation stay. */
  stripMetadata: Type.Boolean(),
  /**
   * Look for secrets in a capture before it is uploaded. `ask`: one with findings waits for the user; `require`: also one
   * that could not be checked, and each finding must be decided about.
   */
  checkBeforeUpload: literals('off', 'ask', 'require'),
  /** Read the words in published pictures on this computer, so that the search finds them. */
  findInPictures: Type.Boolean(),
  /** Ask before a video is re-encoded to fit the service, and show the cost. */
  askBeforeFit: Type.Boolean(),
  /** The default fit of videos. */
  fit: FitChoice,
  /** The onboarding. Once it is `over`, it is shown only on request. */
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
  copyWhileEditing: false,
  backdrop: null,
  backdropPresets: [],
  saveFolder: null,
  nameTemplate: 'Screenshot {date} {time}',
  recordingSound: 'none',
  recordingPointer: 'show',
  recordingClicks: 'hide',
  recordingKeys: 'hide',
  recordingCamera: null,
  recordingCameraCorner: 'bottom-left',
  recordingCountdownSeconds: 3,
  reviewRecordings: true,
  toast: 'show',
  startAtLogin: false,
  closeWithoutTray: 'ask',
  explorerMenu: false,
  terminalCommand: false,
  palette: null,
  stripMetadata: true,
  checkBeforeUpload: 'off',
  findInPictures: true,
  askBeforeFit: true,
  fit: 'balanced',
  firstSteps: { state: 'open', done: [], skipped: [] },
  linkFormat: 'plain',
  linkTemplate: '{title}: {url}',
  presets: [],
  defaultPreset: null,
};

/** The effective settings: the user's own, else the account's. */
export const Effective = Type.Object({
  copyLink: Type.Boolean(),
  /** Null: no account is known yet. */
  visibility: Nullable(Visibility),
  /** For capturing a region. Null: unset. */
  hotkey: Nullable(Type.String()),
  palette: Palette,
});
export type Effective = Static<typeof Effective>;

/**
 * The user's own choice takes precedence over the account's. `user` null: no account is known yet. An unknown palette
 * falls back to the first one.
 */
export const effectiveSettings = (settings: Settings, user: User | null): Effective => ({
  copyLink: settings.copyLink ?? user?.copyLink ?? true,
  visibility: settings.visibility ?? (user && (user.privateByDefault ? 'private' : 'unlisted')),
  hotkey: settings.hotkeys.region ?? (user?.captureHotkey || null),
  palette: settings.palette ?? PALETTES.find((known) => known === user?.palette) ?? PALETTES[0],
});
