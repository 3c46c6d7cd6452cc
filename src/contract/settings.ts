/** The app's own settings: schema and defaults. What the account decides (limits, plan) is not here. */
import Type, { type Static } from 'typebox';
import { literals, Nullable, Visibility } from './content.ts';

export const LANGUAGES = ['en', 'ru'] as const;

export const Settings = Type.Object({
  language: literals('system', ...LANGUAGES),
  theme: literals('system', 'light', 'dark'),
  /** Copy the link of a finished item to the clipboard. */
  copyLink: Type.Boolean(),
  /** Null: the account's default. */
  visibility: Nullable(Visibility),
  /** Items that upload at the same time. */
  itemsAtOnce: Type.Integer({ minimum: 1, maximum: 3 }),
  /** An accelerator; null: the account's `captureHotkey`. */
  hotkey: Nullable(Type.String({ minLength: 1 })),
  /** Take place, camera and the like out of images before they are sent; colours and orientation stay. */
  stripMetadata: Type.Boolean(),
});
export type Settings = Static<typeof Settings>;

export const DEFAULT_SETTINGS: Settings = {
  language: 'system',
  theme: 'system',
  copyLink: true,
  visibility: null,
  itemsAtOnce: 2,
  hotkey: null,
  stripMetadata: true,
};
