/**
 * `POST /api/share/{id}/open` opens a share link: it checks the password, counts the view or uses up a one-time link,
 * and grants the browser access. Parallel requests never exceed the number of views that the link allows. Also opens
 * links for the share pages, and deletes expired grants and old counters of wrong passwords.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API } from '../../api/endpoints/endpoint-table.ts';
import { unreachable } from '../../api/errors.ts';
import { type ContentRow, contentRows, type LockedContent } from '../content/content-rows.ts';
import { presentContent, presentToOthers } from '../content/present-content.ts';
import { viewDays } from '../content/storage-and-view-counters.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { closedSignal } from '../http/closed-signal.ts';
import { isCrossSite } from '../http/csrf.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { networksOf } from '../limits/address-networks.ts';
import type { Passwords } from '../passwords.ts';
import { ProblemError } from '../problem-details.ts';
import { ANSWERS } from './access-rules.ts';
import {
  type GivenGrant,
  grantStore,
  newViewerToken,
  readViewerToken,
  setViewerCookies,
  viewerOf,
} from './browser-grants.ts';
import { createPasswordCheck } from './password-check.ts';
import { createRequestAccess, requireToRead } from './requester-access.ts';
import { sendUnavailable } from './unavailable-error.ts';

type Opening =
  | { readonly kind: 'opened'; readonly row: ContentRow; readonly as: 'owner' | 'viewer' }
  /** Nothing was consumed or counted; without a password none was sent. */
  | { readonly kind: 'password-needed' | 'password-wrong' }
  | { readonly kind: 'unavailable' };

/** With the grant whose cookies the response must set. */
type Admission = { readonly opening: Opening; readonly given: GivenGrant | null };

const SECOND = 1_000;

export type Opener = ReturnType<typeof createOpener>;

export const createOpener = (deps: ServerDeps, passwords: Passwords) => {
  const { clock, config, records, random, webOrigin } = deps;
  const visits = createRequestAccess(deps);
  const passwordCheck = createPasswordCheck(deps, passwords);
  const grantMs = config.limits.viewerGrantSeconds * SECOND;
  const oneTimeMs = config.limits.oneTimeSeconds * SECOND;

  const admit = async (
    tx: Transaction,
    request: FastifyRequest,
    row: LockedContent,
    kind: 'count' | 'consume',
  ): Promise<Admission> => {
    const grants = grantStore(tx);
    const now = clock.now();
    const views = row.views + 1;
    const spent = row.viewLimit !== null && views >= row.viewLimit;
    const lastsMs = kind === 'consume' ? oneTimeMs : grantMs;
    const ends = now + lastsMs;
    const next: LockedContent = {
      ...row,
      views,
      viewLimitReachedAt: spent ? now : row.viewLimitReachedAt,
      ...(kind === 'consume' && { consumedAt: now, readExpiresAt: ends }),
    };
    await contentRows(tx).save(next);
    await viewDays(tx).count(row.id, now);
    const own = readViewerToken(request, webOrigin());
    const token = own !== null && (await grants.isKnown(viewerOf(own))) ? own : newViewerToken(random);
    await grants.give(viewerOf(token), row, ends);
    return {
      opening: { kind: 'opened', row: next, as: 'viewer' },
      given: { token, id: row.id, seconds: lastsMs / SECOND },
    };
  };

  /** Decides on the current item; `seen` is the one that the password was checked against. */
  const decide = (request: FastifyRequest, id: string, seen: ContentRow | null): Promise<Admission> =>
    records.transaction(async (tx) => {
      const locked = await contentRows(tx).lock(id);
      const proven = seen !== null && locked?.passwordHash === seen.passwordHash ? 'proven' : 'none';
      const { row, standing } = await visits.assess(tx, request, locked, proven);
      const { open } = ANSWERS[standing];
      if (row === undefined || open === 'unavailable') return { opening: { kind: 'unavailable' }, given: null };
      switch (open) {
        case 'ask-password':
          return { opening: { kind: 'password-wrong' }, given: null };
        case 'welcome':
          return { opening: { kind: 'opened', row, as: standing === 'owner' ? 'owner' : 'viewer' }, given: null };
        case 'count':
        case 'consume':
          return await admit(tx, request, row, open);
        default:
          return unreachable(open);
      }
    });

  return {
    /**
     * Sets the viewer cookies on `reply` when access is granted. Throws RATE_LIMITED, UPLOAD_SERVER_BUSY,
     * SHARE_OPEN_REQUIRED, SCOPE_MISSING.
     */
    open: async (request: FastifyRequest, reply: FastifyReply, id: string, password: string): Promise<Opening> => {
      if (isCrossSite(request, webOrigin()))
        throw new ProblemError('SHARE_OPEN_REQUIRED', 'A link is opened from its own page, not from another site.');
      const { row, standing } = await visits.look(request, id);
      requireToRead(request, standing);
      let seen: ContentRow | null = null;
      if (row !== undefined && ANSWERS[standing].open === 'ask-password') {
        if (password === '') return { kind: 'password-needed' };
        const networks = networksOf(request, config.limits);
        const checked = await passwordCheck.check(row, networks, password, closedSignal(reply.raw));
        if (checked === 'wrong') return { kind: 'password-wrong' };
        if (checked === 'gone') return { kind: 'unavailable' };
        seen = row;
      }
      const { opening, given } = await decide(request, id, seen);
      const browserSeconds = config.limits.viewerGrantSeconds;
      if (given !== null) setViewerCookies(request, reply, given, { origin: webOrigin(), browserSeconds });
      return opening;
    },
    /** Removes expired grants and wrong-password counts. */
    sweep: async (): Promise<void> => {
      await grantStore(records).sweep(clock.now());
      await passwordCheck.sweep();
    },
  };
};

/** `POST /api/share/{id}/open` (API document, "Behaviours of referenced operations"; API decisions 6). */
export const registerOpenLinkRoute = (app: App, deps: ServerDeps, opener: Opener): void => {
  app.route({
    ...routeOf(API.openShare),
    handler: async (request, reply) => {
      const opening = await opener.open(request, reply, request.params.id, request.body?.password ?? '');
      switch (opening.kind) {
        case 'unavailable':
          return sendUnavailable(reply);
        case 'password-needed':
          throw new ProblemError('SHARE_PASSWORD_INVALID', 'This link is protected; send its password.');
        case 'password-wrong':
          throw new ProblemError('SHARE_PASSWORD_INVALID', 'The password is wrong; check it and try again.');
        case 'opened':
          reply.header('cache-control', 'no-store');
          return opening.as === 'owner' ? presentContent(deps, opening.row) : presentToOthers(deps, opening.row);
        default:
          return unreachable(opening);
      }
    },
  });
};
