/**
 * Endpoints of item lists: `GET /content`, `GET /feed`, `GET /users/{username}/content` and favorites (API decisions
 * 3). Also `GET /users/{username}`, and the registration of the album endpoints.
 */

import { API } from '../../api/endpoints/endpoint-table.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Profile } from '../../api/public-profile.ts';
import { isTagTooLong, normalizeTag } from '../../api/tag-rules.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import { readSearch } from '../content/title-and-tags.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import { sendUnavailable } from '../sharing/unavailable-error.ts';
import { registerAlbumRoutes } from './album-routes.ts';
import { createListEligibility } from './list-eligibility.ts';
import { type ItemFilter, listStore } from './list-store.ts';
import { createItemLists } from './page-of-items.ts';
import { type ProfileRow, profileStore } from './public-profile-store.ts';

const presentProfile = ({ id, username, name, bio, avatarUrl, avatarRevision, createdAt }: ProfileRow): Profile => ({
  id,
  username,
  name,
  bio,
  avatarUrl,
  avatarRevision,
  createdAt: new Date(createdAt).toISOString(),
});

const tooLong = (path: string, most: number): ProblemError =>
  invalidInput({ path, message: `must have at most ${most} characters` });

/** Throws INVALID_INPUT. */
const searchOf = (q: string | undefined): string | null => {
  const { search, isTooLong } = readSearch(q ?? '');
  if (isTooLong) throw tooLong('/q', LIMITS.searchMaxCharacters);
  return search;
};

/** Throws INVALID_INPUT. */
const tagOf = (given: string | undefined): string | null => {
  if (given === undefined) return null;
  const tag = normalizeTag(given);
  if (isTagTooLong(tag)) throw tooLong('/tag', LIMITS.tagMaxCharacters);
  return tag;
};

export const registerListRoutes = (app: App, deps: ServerDeps): void => {
  const { clock, records } = deps;
  const lists = listStore(records);
  const profiles = profileStore(records);
  const itemLists = createItemLists(deps);
  const keepable = createListEligibility(deps);

  const profileOf = async (username: string): Promise<ProfileRow> => {
    const profile = await profiles.byUsername(username);
    if (profile === undefined) throw new ProblemError('NOT_FOUND', 'There is no account of this name.');
    return profile;
  };

  app.route({
    ...routeOf(API.listContent),
    handler: async (request) => {
      const { cursor, type, q, tag, favorite } = request.query;
      const page = itemLists.request(keyHolder(request).account, cursor);
      const filter: ItemFilter = { type: type ?? null, search: searchOf(q), tag: tagOf(tag) };
      if (favorite === undefined) return itemLists.answer(await lists.own(page, filter), page);
      return itemLists.answer(await (favorite ? lists.favorites(page, filter) : lists.unmarked(page, filter)), page);
    },
  });

  app.route({
    ...routeOf(API.readFeed),
    handler: async (request) => {
      const page = itemLists.request(keyHolder(request).account, request.query.cursor);
      return itemLists.answer(await lists.feed(page), page);
    },
  });

  app.route({
    ...routeOf(API.readProfile),
    handler: async (request) => presentProfile(await profileOf(request.params.username)),
  });

  app.route({
    ...routeOf(API.listProfileContent),
    handler: async (request) => {
      const page = itemLists.request(keyHolder(request).account, request.query.cursor);
      return itemLists.answer(await lists.profile(page, (await profileOf(request.params.username)).id), page);
    },
  });

  app.route({
    ...routeOf(API.addFavorite),
    handler: async (request, reply) => {
      const row = await keepable(request, request.params.id);
      const isMarked = row !== undefined && (await lists.mark(keyHolder(request).account.id, row.id, clock.now()));
      return isMarked ? reply.code(204).send() : sendUnavailable(reply);
    },
  });

  app.route({
    ...routeOf(API.removeFavorite),
    handler: async (request, reply) => {
      // A favorite that its owner has hidden can be removed; other hidden items are not disclosed.
      const { id } = request.params;
      const done =
        (await lists.unmark(keyHolder(request).account.id, id)) || (await keepable(request, id)) !== undefined;
      return done ? reply.code(204).send() : sendUnavailable(reply);
    },
  });

  registerAlbumRoutes(app, deps);
};
