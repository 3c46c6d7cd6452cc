/**
 * Schemas of albums (API decisions 3): an album, lists of albums, an album with its items, and the requests that create
 * and change one.
 */
import Type, { type Static } from 'typebox';
import { Author } from './content.ts';
import { ItemPage } from './item-lists.ts';
import { LIMITS } from './limits.ts';
import { literals, Nullable } from './nullable-and-literals.ts';

const AlbumVisibility = literals('private', 'unlisted');
export type AlbumVisibility = Static<typeof AlbumVisibility>;

export const AlbumId = Type.String({ description: 'Id of an album.' });

export const Album = Type.Object({
  id: AlbumId,
  title: Type.String({ minLength: 1, maxLength: LIMITS.titleMaxCharacters }),
  /** `private`: the owner alone. `unlisted`: every account that has the id. */
  visibility: AlbumVisibility,
  createdAt: Type.String({ format: 'date-time' }),
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
