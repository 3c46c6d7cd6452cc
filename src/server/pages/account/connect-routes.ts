/**
 * Routes of `/connect` and `/connect/device`, where the user approves or refuses the connection of a device (API
 * decisions 4).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryOf } from '../../../base/common/request-target.ts';
import type { AccountRow } from '../../accounts/accounts.ts';
import { clearSessionCookie, readSessionToken, type Sessions } from '../../accounts/sessions.ts';
import type { ServerDeps } from '../../deps.ts';
import type { AuthorizationCodes } from '../../device-auth/authorization-codes.ts';
import type { DeviceRequests } from '../../device-auth/device-requests.ts';
import {
  APPROVAL_FIELDS,
  answerAddress,
  readAuthorizationRequest,
} from '../../device-auth/loopback-authorization-request.ts';
import type { App } from '../../http/app-type.ts';
import { addressToShow } from '../../limits/address-networks.ts';
import { languageFor, sendPage } from '../layout.ts';
import { formOf } from './read-form.ts';
import type { RequireAccount } from './require-sign-in.ts';
import { approvalPage, codePage, connectNotice } from './sign-in-and-connect-pages.ts';

const HIDDEN = { schema: { hide: true } } as const;

interface ConnectPagesNeeds {
  readonly codes: AuthorizationCodes;
  readonly requests: DeviceRequests;
  readonly sessions: Sessions;
  readonly requireAccount: RequireAccount;
}

export const registerConnectPages = (app: App, { webOrigin }: ServerDeps, needs: ConnectPagesNeeds): void => {
  const { codes, requests, sessions, requireAccount } = needs;

  const agentOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? '';
  const sendInvalid = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply.code(400), connectNotice(languageFor(request), 'invalid'));

  app.get('/connect', HIDDEN, async (request, reply) => {
    const parameters = queryOf(request.url);
    const approval = readAuthorizationRequest(parameters, agentOf(request));
    if (approval === null) return sendInvalid(request, reply);
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const fields = Object.fromEntries(APPROVAL_FIELDS.map((name) => [name, parameters.get(name) ?? '']));
    const { deviceName } = approval.device;
    const ip = addressToShow(request);
    const page = { deviceName, ip, username: account.username, action: '/connect', fields };
    // The form's response redirects to the app, which listens on this machine.
    const { origin } = new URL(approval.redirectUri);
    return sendPage(reply, approvalPage(languageFor(request), page), undefined, origin);
  });

  app.post('/connect', HIDDEN, async (request, reply) => {
    const form = formOf(request);
    const approval = readAuthorizationRequest(form, agentOf(request));
    if (approval === null) return sendInvalid(request, reply);
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const { device, challenge, redirectUri } = approval;
    const code =
      form.get('decision') === 'approve' ? await codes.approve({ account, device, challenge, redirectUri }) : null;
    // Also when the password was changed since the form was sent: the session has ended then.
    const answer = code === null ? { code: undefined, error: 'access_denied' } : { code, error: undefined };
    return reply.header('cache-control', 'no-store').redirect(answerAddress(approval, answer), 303);
  });

  app.get('/connect/device', HIDDEN, async (request, reply) => {
    if ((await requireAccount(request, reply)) === null) return reply;
    return sendPage(reply, codePage(languageFor(request), queryOf(request.url).get('code') ?? '', 'first'));
  });

  /** The sixth wrong code ends the session: codes cannot be guessed (API decisions 4). */
  const sendWrongCode = async (request: FastifyRequest, reply: FastifyReply, code: string): Promise<FastifyReply> => {
    const token = readSessionToken(request, webOrigin());
    if (token !== null && (await sessions.countWrongCode(token)) === 'ended') {
      clearSessionCookie(reply, webOrigin());
      return sendPage(reply.code(403), connectNotice(languageFor(request), 'codesOver'));
    }
    return sendPage(reply.code(400), codePage(languageFor(request), code, 'wrong'));
  };

  const sendApproval = async (
    request: FastifyRequest,
    reply: FastifyReply,
    account: AccountRow,
  ): Promise<FastifyReply> => {
    const code = formOf(request).get('code') ?? '';
    const found = await requests.find(code);
    if (found === undefined) return await sendWrongCode(request, reply, code);
    const { deviceName, ip, userCode } = found;
    const page = {
      deviceName,
      ip,
      username: account.username,
      action: '/connect/device/decide',
      fields: { code: userCode },
    };
    return sendPage(reply, approvalPage(languageFor(request), page));
  };

  app.post('/connect/device', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    return account === null ? reply : await sendApproval(request, reply, account);
  });

  app.post('/connect/device/decide', HIDDEN, async (request, reply) => {
    const account = await requireAccount(request, reply);
    if (account === null) return reply;
    const form = formOf(request);
    const code = form.get('code') ?? '';
    const decision = form.get('decision') === 'approve' ? 'approved' : 'denied';
    const outcome = await requests.decide(code, decision, account);
    if (outcome === 'ended') return await sendWrongCode(request, reply, code);
    // By a change of the password, which has ended the session, so that no other page could say it.
    if (outcome === 'overtaken') return sendPage(reply, connectNotice(languageFor(request), 'refused'));
    // A reload asks for this page, instead of sending a code that the device may have used up: it would count as a wrong one.
    const done = decision === 'approved' ? 'connected' : 'refused';
    return reply.header('cache-control', 'no-store').redirect(`/connect/device/decide?done=${done}`, 303);
  });

  app.get<{ Querystring: { done?: unknown } }>('/connect/device/decide', HIDDEN, async (request, reply) => {
    const { done } = request.query;
    if (done !== 'connected' && done !== 'refused') return reply.redirect('/connect/device', 303);
    if ((await requireAccount(request, reply)) === null) return reply;
    return sendPage(reply, connectNotice(languageFor(request), done));
  });
};
