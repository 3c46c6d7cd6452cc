/** The app's own settings: schema and defaults. What the account decides (limits, plan) is not here. */
import Type, { type Static } from 'typebox';
import { literals, Nullable, Visibility } from './content.ts';
import { LinkPreferences } from './link-settings.ts';

export const LANGUAGES = ['en', 'ru'] as const;

/** The palettes of the service's own pages. */
export const PALETTES = ['linkshot', 'ocean', 'forest', 'sunset', 'graphite'] as const;
const Palette = literals(...PALETTES);

export const Settings = Type.Object({
  language: literals('system', ...LANGUAGES),
  theme: literals('system', 'light', 'dark'),
  /** Copy the link of a finished item to the clipboard; null: as the account says. */
  copyLink: Nullable(Type.Boolean()),
  /** Null: the account's default. */
  visibility: Nullable(Visibility),
  /** Items that upload at the same time. */
  itemsAtOnce: Type.Integer({ minimum: 1, maximum: 3 }),
  /** An accelerator; null: the account's `captureHotkey`. */
  hotkey: Nullable(Type.String({ minLength: 1 })),
  /** Colours of the window; null: the account's `palette`. */
  palette: Nullable(Palette),
  /** Take place, camera and the like out of images before they are sent; colours and orientation stay. */
  stripMetadata: Type.Boolean(),
  /** Ask before a video is encoded anew to fit the service, and say what that costs. */
  askBeforeFit: Type.Boolean(),
  ...LinkPreferences,
});
export type Settings = Static<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = {
  language: 'system',
  theme: 'system',
  copyLink: null,
  visibility: null,
  itemsAtOnce: 2,
  hotkey: null,
  palette: null,
  stripMetadata: true,
  askBeforeFit: true,
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
  /** Null: there is none. */
  hotkey: Nullable(Type.String()),
  palette: Palette,
});
export type Effective = Static<typeof Effective>;
