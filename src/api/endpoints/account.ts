/** Endpoints of the account, its request log and its plan. */
import { Account, RequestLog, Subscription } from '../account.ts';
import type { Endpoint } from './endpoint.ts';

export const ACCOUNT_ENDPOINTS = {
  readAccount: {
    method: 'GET',
    path: '/api/v1/account',
    summary: 'The account, its limits and entitlements, and the key in use',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: Account,
  },
  listRequests: {
    method: 'GET',
    path: '/api/v1/requests',
    summary: 'The latest 100 requests of the account from 30 days',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: RequestLog,
  },
  readSubscription: {
    method: 'GET',
    path: '/api/billing/subscription',
    summary: 'The plan, what it entitles to, and the trial',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: Subscription,
  },
  startTrial: {
    method: 'POST',
    path: '/api/billing/trial',
    summary: 'Start an available trial',
    scope: 'content:write',
    budget: 'general',
    status: 200,
    reply: Subscription,
  },
} as const satisfies Record<string, Endpoint>;
