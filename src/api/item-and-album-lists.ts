/**
 * Schemas of lists (API decisions 3): pages of items and of albums, albums with their items, public profiles, and the
 * media status and the views per day of items. Also of the requests that create and change albums.
 */
import Type, { type Static } from 'typebox';
import { Author, Content, LockedCard, MediaStatus } from './content.ts';
import { ContentId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { literals, Nullable } from './schema-helpers.ts';

const DateTime = Type.String({ format: 'date-time' });

/** An item as the requester may see it: in full, or as a locked card. Both carry `favorite`, `owned` and `author`. */
export const ListedItem = Type.Union([Content, LockedCard]);
export type ListedItem = Static<typeof ListedItem>;

/** One page, newest first. `nextCursor` is null on the last page. */
export const ItemPage = Type.Object({
  items: Type.Array(ListedItem, { maxItems: LIMITS.pageItems }),
  nextCursor: Nullable(Type.String()),
});
export type ItemPage = Static<typeof ItemPage>;

/** What any key holder may see of an account. */
export const Profile = Type.Object({
  id: Type.String(),
  username: Type.String(),
  name: Type.String(),
  bio: Type.String(),
  avatarUrl: Nullable(Type.String()),
  avatarRevision: Type.Integer({ minimum: 0 }),
  createdAt: DateTime,
});
export type Profile = Static<typeof Profile>;

const AlbumVisibility = literals('private', 'unlisted');
export type AlbumVisibility = Static<typeof AlbumVisibility>;

export const AlbumId = Type.String({ description: 'Id of an album.' });

export const Album = Type.Object({
  id: AlbumId,
  title: Type.String({ minLength: 1, maxLength: LIMITS.titleMaxCharacters }),
  /** `private`: the owner alone. `unlisted`: every account that has the id. */
  visibility: AlbumVisibility,
  createdAt: DateTime,
  owned: Type.Boolean(),
  author: Author,
});
export type Album = Static<typeof Album>;

export const AlbumPage = Type.Object({
  items: Type.Array(Album, { maxItems: LIMITS.pageItems }),
  nextCursor: Nullable(Type.String()),
});
export type AlbumPage = Static<typeof AlbumPage>;

/** An album with one page of its items, most recently added first. */
export const AlbumWithItems = Type.Object({ ...Album.properties, ...ItemPage.properties });
export type AlbumWithItems = Static<typeof AlbumWithItems>;

const AlbumTitle = Type.String({ description: `1-${LIMITS.titleMaxCharacters} characters (code points).` });
const closed = { additionalProperties: false } as const;
export const CreateAlbum = Type.Object(
  { title: AlbumTitle, visibility: Type.Optional(AlbumVisibility) },
  { ...closed, description: '`visibility` is private by default.' },
);
export const UpdateAlbum = Type.Object(
  { title: Type.Optional(AlbumTitle), visibility: Type.Optional(AlbumVisibility) },
  closed,
);

/** `GET /content/media-status`, in the requested order; ids that are not own items are omitted. */
export const MediaStatuses = Type.Object({
  items: Type.Array(Type.Object({ id: ContentId, mediaStatus: MediaStatus, mediaError: Nullable(Type.String()) }), {
    maxItems: LIMITS.mediaStatusIds,
  }),
});
export type MediaStatuses = Static<typeof MediaStatuses>;

/** `GET /content/{id}/views`: every day in UTC up to today, the oldest first. */
export const ViewsByDay = Type.Object({
  days: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), views: Type.Integer({ minimum: 0 }) }), {
    minItems: 1,
    maxItems: LIMITS.viewsByDayMax,
  }),
});
export type ViewsByDay = Static<typeof ViewsByDay>;
