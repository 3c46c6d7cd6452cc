/**
 * Schemas of published items (API document, "Content (shared item, 40 fields)"): the item, the card that others see of
 * a protected item, the link settings of a request that publishes, the changes of an item, and the values that its
 * fields may have.
 */
import Type, { type Static } from 'typebox';
import { ContentId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { literals, Nullable } from './nullable-and-literals.ts';
import { WEB_ADDRESS } from './service-address.ts';

const DateTime = Type.String({ format: 'date-time' });

export const CONTENT_TYPES = ['IMAGE', 'VIDEO', 'PASTE', 'FOLDER'] as const;
export const VISIBILITIES = ['private', 'unlisted', 'public'] as const;
export const TTLS = ['forever', 'day', 'week', 'month'] as const;
const PASTE_FORMATS = ['plain', 'markdown', 'code'] as const;
export const PASTE_LANGUAGES = [
  'text',
  'javascript',
  'typescript',
  'json',
  'python',
  'bash',
  'css',
  'xml',
  'sql',
  'rust',
  'go',
  'c',
  'cpp',
  'csharp',
  'yaml',
] as const;
const MEDIA_STATUSES = ['PROCESSING', 'READY', 'FAILED'] as const;
export const MODERATION_HOLDS = ['review', 'blocked'] as const;

export const ContentType = literals(...CONTENT_TYPES);
export type ContentType = Static<typeof ContentType>;
export const Visibility = literals(...VISIBILITIES);
export type Visibility = Static<typeof Visibility>;
export const Ttl = literals(...TTLS);
export type Ttl = Static<typeof Ttl>;
export const PasteFormat = literals(...PASTE_FORMATS);
export type PasteFormat = Static<typeof PasteFormat>;
export const PasteLanguage = literals(...PASTE_LANGUAGES);
export type PasteLanguage = Static<typeof PasteLanguage>;
export const MediaStatus = literals(...MEDIA_STATUSES);
export type MediaStatus = Static<typeof MediaStatus>;
export const ModerationHold = literals(...MODERATION_HOLDS);
export type ModerationHold = Static<typeof ModerationHold>;

export const Author = Type.Object({ id: Type.String(), username: Type.String(), name: Type.String() });
export type Author = Static<typeof Author>;

/** A shared item. Sizes in bytes, dimensions in pixels, times in ISO 8601 UTC. */
export const Content = Type.Object({
  id: ContentId,
  title: Type.String({ maxLength: LIMITS.titleMaxCharacters }),
  tags: Type.Array(Type.String()),
  originalName: Type.Optional(Type.String()),
  type: ContentType,
  mime: Type.String(),
  pasteFormat: Type.Optional(Nullable(PasteFormat)),
  pasteLanguage: Type.Optional(Nullable(PasteLanguage)),
  folderFiles: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
  revision: Type.Integer({ minimum: 1 }),
  accessVersion: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  visibility: Visibility,
  allowDownload: Type.Boolean(),
  passwordProtected: Type.Boolean(),
  oneTime: Type.Boolean(),
  consumedAt: Type.Optional(Nullable(DateTime)),
  readExpiresAt: Type.Optional(Nullable(DateTime)),
  readMaxExpiresAt: Type.Optional(Nullable(DateTime)),
  hasVideoText: Type.Optional(Type.Boolean()),
  videoTextRevision: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  views: Type.Integer({ minimum: 0 }),
  viewLimit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: LIMITS.viewLimitMax }))),
  viewLimitReachedAt: Type.Optional(Nullable(DateTime)),
  mediaStatus: Type.Optional(MediaStatus),
  mediaError: Type.Optional(Nullable(Type.String())),
  width: Type.Optional(Nullable(Type.Integer())),
  height: Type.Optional(Nullable(Type.Integer())),
  durationMs: Type.Optional(Nullable(Type.Integer())),
  videoCodec: Type.Optional(Nullable(Type.String())),
  hasAudio: Type.Optional(Type.Boolean()),
  previewUrl: Type.Optional(Nullable(Type.String())),
  expiresAt: Type.Optional(Nullable(DateTime)),
  createdAt: DateTime,
  url: Type.String({
    pattern: WEB_ADDRESS,
    description: 'Share page, absolute; carries ?v={accessVersion} from 2 on.',
  }),
  mediaUrl: Type.String({ description: 'Path of the file itself: /api/media/{id}.' }),
  moderationHold: Type.Optional(Nullable(ModerationHold)),
  favorite: Type.Optional(Type.Boolean()),
  owned: Type.Optional(Type.Boolean()),
  author: Type.Optional(Author),
});
export type Content = Static<typeof Content>;

/** What other accounts see of a protected item (API document, "Visibility and protection rules", 3). */
export const LockedCard = Type.Object({
  id: ContentId,
  type: ContentType,
  author: Author,
  locked: Type.Literal(true),
  passwordProtected: Type.Boolean(),
  favorite: Type.Optional(Type.Boolean()),
  owned: Type.Optional(Type.Boolean()),
});
export type LockedCard = Static<typeof LockedCard>;

const Title = Type.String({ description: `Up to ${LIMITS.titleMaxCharacters} characters (code points).` });
const Tags = Type.Array(Type.String(), { description: `Up to ${LIMITS.tagsMax}, 1-${LIMITS.tagMaxCharacters} each.` });
const Password = Type.String({
  description: `Empty, or ${LIMITS.passwordMinCharacters}-${LIMITS.passwordMaxCharacters} characters; never returned.`,
});

/** Fields that every publishing endpoint accepts. Lengths count code points, so the server checks them. */
export const ShareFields = Type.Object({
  title: Type.Optional(Title),
  tags: Type.Optional(Tags),
  visibility: Type.Optional(Visibility),
  ttl: Type.Optional(Ttl),
  password: Type.Optional(Password),
  oneTime: Type.Optional(Type.Boolean()),
});
export type ShareFields = Static<typeof ShareFields>;

/**
 * Body of `PATCH /api/v1/content/{id}` (API decisions 3). Omitted fields stay as they are; unchanged values cause no
 * error.
 */
export const UpdateContent = Type.Object(
  {
    ...ShareFields.properties,
    expiresAt: Type.Optional(Nullable(DateTime)),
    viewLimit: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: LIMITS.viewLimitMax }))),
    allowDownload: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String()),
    format: Type.Optional(PasteFormat),
    language: Type.Optional(Nullable(PasteLanguage)),
    revision: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type UpdateContent = Static<typeof UpdateContent>;
