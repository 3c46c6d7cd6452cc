/**
 * Schemas of the settings of a link: all that a user can choose, those that can be applied after publishing, changes of
 * published items, and presets. Also the formats of copied links, and the app's own settings for links.
 */
import Type, { type Static } from 'typebox';
import { ShareFields, UpdateContent } from '../../api/content.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

const { expiresAt, viewLimit, allowDownload } = UpdateContent.properties;

/**
 * Omitted values are unchanged, or the account's defaults. `expiresAt` and `viewLimit` need a plan with that feature.
 */
export const LinkSettings = Type.Object({ ...ShareFields.properties, expiresAt, viewLimit, allowDownload });
export type LinkSettings = Static<typeof LinkSettings>;

const { tags } = ShareFields.properties;

/**
 * Changes of published items. `addTags` and `removeTags` keep each item's other tags, so they exclude `tags`. `rearm`, by
 * itself: lets one more viewer open a used one-time link, under this visibility.
 */
export const ItemChange = Type.Object({
  ...LinkSettings.properties,
  addTags: tags,
  removeTags: tags,
  rearm: Type.Optional(literals('private', 'unlisted')),
});
export type ItemChange = Static<typeof ItemChange>;

/**
 * Settings that publishing does not support, or that came too late: applied once the item is published, before its link
 * is delivered.
 */
export const PostPublishSettings = Type.Omit(LinkSettings, ['password']);
export type PostPublishSettings = Static<typeof PostPublishSettings>;

export const PresetId = Type.String({ minLength: 1, maxLength: 64 });

/** A named set of link settings. It never contains a password, which would be stored in a file. */
export const Preset = Type.Object({
  id: PresetId,
  name: Type.String({ minLength: 1, maxLength: 60 }),
  link: Type.Omit(LinkSettings, ['title', 'password', 'expiresAt']),
});
export type Preset = Static<typeof Preset>;

export const PRESETS_MAX = 50;

/** The preset with this id or, as users call it, of this name. */
export const findPreset = (presets: readonly Preset[], idOrName: string | null): Preset | undefined =>
  presets.find(({ id }) => id === idOrName) ?? presets.find(({ name }) => name === idOrName);

/**
 * `direct`: the address of the file itself. `template`: the user's own, with placeholders in braces such as `{url}`;
 * `{title|html}` escapes for html, markdown, bbcode or url.
 */
export const LinkFormat = literals('plain', 'markdown', 'html', 'bbcode', 'direct', 'template');
export type LinkFormat = Static<typeof LinkFormat>;

export const LinkTemplate = Type.String({ minLength: 1, maxLength: 2_000 });

/** The link settings of the app. */
export const LinkPreferences = {
  linkFormat: LinkFormat,
  linkTemplate: LinkTemplate,
  presets: Type.Array(Preset, { maxItems: PRESETS_MAX }),
  /** The default preset of new items. */
  defaultPreset: Nullable(PresetId),
} as const;
