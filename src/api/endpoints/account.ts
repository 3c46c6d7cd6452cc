/** Endpoints of the account, its request log and its plan, and of the connection of a device. */
import { Account, RequestLog, Subscription } from '../account.ts';
import { ConnectedDevice, DeviceAuth, DeviceToken, RenewedKey, StartDeviceAuth } from '../device-auth.ts';
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
  startDeviceAuth: {
    method: 'POST',
    path: '/api/v1/device-auth/start',
    summary: 'Ask for a code that a person types in a browser to connect this device',
    scope: null,
    budget: 'guest',
    body: StartDeviceAuth,
    status: 200,
    reply: DeviceAuth,
  },
  deviceToken: {
    method: 'POST',
    path: '/api/v1/device-auth/token',
    summary: 'Exchange an approved code for an API key, or ask whether it was approved',
    scope: null,
    budget: 'guest',
    body: DeviceToken,
    status: 200,
    reply: ConnectedDevice,
  },
  renewKey: {
    method: 'POST',
    path: '/api/v1/device-auth/renew',
    summary: 'A new key for a connection within 30 days of the end of its present one',
    scope: 'account:read',
    budget: 'general',
    status: 200,
    reply: RenewedKey,
  },
} as const satisfies Record<string, Endpoint>;
