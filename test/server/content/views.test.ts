/** Views by day (plan feature view_stats) and the media status report (API decisions 3). */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaStatuses } from '../../../src/api/media-statuses.ts';
import type { ViewsByDay } from '../../../src/api/views-by-day.ts';
import { eventually } from '../../support/eventually.ts';
import { goodMp4 } from '../../support/media/media.ts';
import { type MovableClock, movableClock } from '../../support/movable-clock.ts';
import { browser, editRow, publish, read } from '../../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';

const DAY = 86_400_000;

let clock: MovableClock;
let server: RunningServer;
let owner: User;
beforeAll(async () => {
  // Two minutes before midnight.
  clock = movableClock(Date.UTC(2028, 1, 27, 23, 58));
  server = await startServer({
    clock,
    config: { limits: { guestRequestsPerMinute: 100_000, requestsPerMinute: 100_000 } },
  });
  owner = await server.user({ plan: 'pro' });
});
afterAll(() => server.stop());

const views = (id: string, query = '', user = owner) =>
  ask<ViewsByDay>(server.url, { path: `/api/v1/content/${id}/views${query}`, key: user.apiKey });

describe('Views by day', () => {
  it('are counted on the day of the open in UTC, one for each open that counts, and no day is left out', async () => {
    const item = await publish(server, owner);
    const viewer = browser(server);
    await viewer.open(item.id);
    await viewer.open(item.id);
    await browser(server).open(item.id);
    await browser(server).page(item.id);
    await read(server, owner, item.id);
    clock.advance(2 * 60_000);
    await browser(server).open(item.id);
    // Across the leap day.
    clock.advance(2 * DAY);
    await viewer.open(item.id);
    expect((await views(item.id, '?days=5')).body).toEqual({
      days: [
        { date: '2028-02-26', views: 0 },
        { date: '2028-02-27', views: 2 },
        { date: '2028-02-28', views: 1 },
        { date: '2028-02-29', views: 0 },
        { date: '2028-03-01', views: 1 },
      ],
    });
    expect((await views(item.id, '?days=1')).body.days).toEqual([{ date: '2028-03-01', views: 1 }]);
    expect((await views(item.id, '?days=90')).body.days).toHaveLength(90);
    expect((await views(item.id)).body.days).toHaveLength(30);
    const sum = (await views(item.id, '?days=90')).body.days.reduce((total, day) => total + day.views, 0);
    expect(sum).toBe((await read(server, owner, item.id)).body.views);
  });
  it.each(['?days=0', '?days=91', '?days=many', '?days=-3'])('refuse %s', async (query) => {
    const item = await publish(server, owner);
    expect((await views(item.id, query)).problem.code).toBe('INVALID_INPUT');
  });
  it('need the plan feature view_stats', async () => {
    const free = await server.user();
    const item = await publish(server, free);
    const answer = await views(item.id, '', free);
    expect([answer.status, answer.problem.code, answer.problem.params]).toEqual([
      403,
      'PLAN_FEATURE_REQUIRED',
      { feature: 'view_stats' },
    ]);
  });
  it('are shown only to the owner', async () => {
    const item = await publish(server, owner, { visibility: 'public' });
    const answers = [await views(item.id, '', await server.user({ plan: 'pro' })), await views('nothing')];
    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual([
      [404, 'SHARE_UNAVAILABLE'],
      [404, 'SHARE_UNAVAILABLE'],
    ]);
    const weak = await server.key(owner, { scopes: ['content:write'] });
    expect((await views(item.id, '', weak)).problem.code).toBe('SCOPE_MISSING');
    await editRow(server, 'UPDATE content SET expiresAt = 1 WHERE id = ?', item.id);
    expect((await views(item.id)).problem.code).toBe('CONTENT_GONE');
  });
});

describe('The media status', () => {
  const statuses = (ids: readonly string[], user = owner) =>
    ask<MediaStatuses>(server.url, {
      path: `/api/v1/content/media-status?ids=${ids.join(',')}`,
      key: user.apiKey,
    });

  it('covers own items in the requested order, each once; others and unknown ones are omitted', async () => {
    const film = await publish(server, owner, {}, await readFile(await goodMp4()));
    const picture = await publish(server, owner);
    const foreign = await publish(server, await server.user(), { visibility: 'public' });
    const answer = await statuses([picture.id, 'nothing', foreign.id, film.id, picture.id]);
    expect(answer.status).toBe(200);
    expect(answer.body.items.map(({ id }) => id)).toEqual([picture.id, film.id]);
    expect(answer.body.items[0]).toEqual({ id: picture.id, mediaStatus: 'READY', mediaError: null });
    await eventually(async () =>
      expect((await statuses([film.id])).body.items).toEqual([{ id: film.id, mediaStatus: 'READY', mediaError: null }]),
    );
    await editRow(
      server,
      "UPDATE content SET mediaStatus = 'FAILED', mediaError = 'The stored file is damaged.' WHERE id = ?",
      film.id,
    );
    expect((await statuses([film.id])).body.items[0]).toEqual({
      id: film.id,
      mediaStatus: 'FAILED',
      mediaError: 'The stored file is damaged.',
    });
  });
  it('is asked of 25 items at most', async () => {
    const ids = Array.from({ length: 26 }, (_, index) => `id${index}`);
    expect((await statuses(ids.slice(1))).status).toBe(200);
    expect((await statuses(ids)).problem.code).toBe('INVALID_INPUT');
    const none = await ask(server.url, { path: '/api/v1/content/media-status', key: owner.apiKey });
    expect(none.problem.code).toBe('INVALID_INPUT');
  });
  it('needs content:read', async () => {
    const weak = await server.key(owner, { scopes: ['content:write'] });
    expect((await statuses(['x'], weak)).problem.code).toBe('SCOPE_MISSING');
  });
});
