/** How a link behaves, whether its item is published already or not; named sets of that; and the forms a link is given in. */
import Type, { type Static } from 'typebox';
import { literals, Nullable, ShareFields, UpdateContent } from '../../api/content.ts';

const { expiresAt, viewLimit, allowDownload } = UpdateContent.properties;

/** What is omitted stays as it is, or is as the account has it. `expiresAt` and `viewLimit` need a plan with that feature. */
export const LinkSettings = Type.Object({ ...ShareFields.properties, expiresAt, viewLimit, allowDownload });
export type LinkSettings = Static<typeof LinkSettings>;

const { tags } = ShareFields.properties;

/** What may be asked of published items. `addTags` and `removeTags` leave each item its other tags, so not beside `tags`. */
export const ItemChange = Type.Object({ ...LinkSettings.properties, addTags: tags, removeTags: tags });
export type ItemChange = Static<typeof ItemChange>;

/** What publishing cannot carry, or came too late for it: asked of the item once it is published, before its link is told. */
export const Afterwards = Type.Omit(LinkSettings, ['password']);
export type Afterwards = Static<typeof Afterwards>;

export const PresetId = Type.String({ minLength: 1, maxLength: 64 });

/** A named set of link settings. A password is never part of one: it would lie in a file. */
export const Preset = Type.Object({
  id: PresetId,
  name: Type.String({ minLength: 1, maxLength: 60 }),
  link: Type.Omit(LinkSettings, ['title', 'password', 'expiresAt']),
});
export type Preset = Static<typeof Preset>;

export const PRESETS_MAX = 50;

/**
 * `direct`: the address of the file itself. `template`: the person's own, with placeholders in braces such as `{url}`;
 * `{title|html}` escapes for html, markdown, bbcode or url.
 */
export const LinkFormat = literals('plain', 'markdown', 'html', 'bbcode', 'direct', 'template');
export type LinkFormat = Static<typeof LinkFormat>;

export const LinkTemplate = Type.String({ minLength: 1, maxLength: 2_000 });

/** What the settings say about links. */
export const LinkPreferences = {
  linkFormat: LinkFormat,
  linkTemplate: LinkTemplate,
  presets: Type.Array(Preset, { maxItems: PRESETS_MAX }),
  /** The preset of new items that say nothing else. */
  defaultPreset: Nullable(PresetId),
} as const;
