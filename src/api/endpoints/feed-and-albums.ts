/** Endpoints that read the feed and public profiles, and that read and change albums. */
import Type from 'typebox';
import { Album, AlbumId, AlbumPage, AlbumWithItems, CreateAlbum, UpdateAlbum } from '../albums.ts';
import { ItemPage } from '../item-lists.ts';
import { Profile } from '../public-profile.ts';
import { ContentParams, type Endpoint, PageQuery } from './endpoint.ts';

const ProfileParams = Type.Object({ username: Type.String() });
const AlbumParams = Type.Object({ id: AlbumId });
const AlbumItemParams = Type.Object({ id: AlbumId, contentId: ContentParams.properties.id });

export const FEED_AND_ALBUM_ENDPOINTS = {
  readFeed: {
    method: 'GET',
    path: '/api/v1/feed',
    summary: 'Public items of everyone, newest first',
    scope: 'content:read',
    budget: 'general',
    query: PageQuery,
    status: 200,
    reply: ItemPage,
  },
  readProfile: {
    method: 'GET',
    path: '/api/v1/users/:username',
    summary: 'The public profile of an account',
    scope: 'content:read',
    budget: 'general',
    params: ProfileParams,
    status: 200,
    reply: Profile,
  },
  listProfileContent: {
    method: 'GET',
    path: '/api/v1/users/:username/content',
    summary: 'Public items of an account, newest first',
    scope: 'content:read',
    budget: 'general',
    params: ProfileParams,
    query: PageQuery,
    status: 200,
    reply: ItemPage,
  },
  listAlbums: {
    method: 'GET',
    path: '/api/v1/albums',
    summary: 'Own albums, newest first',
    scope: 'content:read',
    budget: 'general',
    query: PageQuery,
    status: 200,
    reply: AlbumPage,
  },
  createAlbum: {
    method: 'POST',
    path: '/api/v1/albums',
    summary: 'Make an album',
    scope: 'content:write',
    budget: 'general',
    body: CreateAlbum,
    status: 201,
    reply: Album,
  },
  readAlbum: {
    method: 'GET',
    path: '/api/v1/albums/:id',
    summary: 'An album and a page of its items, the last added first',
    scope: 'content:read',
    budget: 'general',
    params: AlbumParams,
    query: PageQuery,
    status: 200,
    reply: AlbumWithItems,
  },
  updateAlbum: {
    method: 'PATCH',
    path: '/api/v1/albums/:id',
    summary: 'Change the title or visibility of an own album',
    scope: 'content:write',
    budget: 'general',
    params: AlbumParams,
    body: UpdateAlbum,
    status: 200,
    reply: Album,
  },
  deleteAlbum: {
    method: 'DELETE',
    path: '/api/v1/albums/:id',
    summary: 'Delete an own album; its items stay',
    scope: 'content:write',
    budget: 'general',
    params: AlbumParams,
    status: 204,
    reply: null,
  },
  addToAlbum: {
    method: 'PUT',
    path: '/api/v1/albums/:id/content/:contentId',
    summary: 'Put an item into an own album',
    scope: 'content:write',
    budget: 'general',
    params: AlbumItemParams,
    status: 204,
    reply: null,
  },
  removeFromAlbum: {
    method: 'DELETE',
    path: '/api/v1/albums/:id/content/:contentId',
    summary: 'Take an item out of an own album; the item stays',
    scope: 'content:write',
    budget: 'general',
    params: AlbumItemParams,
    status: 204,
    reply: null,
  },
} as const satisfies Record<string, Endpoint>;
