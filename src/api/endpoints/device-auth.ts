/** Endpoints that connect a device to an account by a code, and renew the key of such a connection. */
import { ConnectedDevice, DeviceAuth, DeviceToken, RenewedKey, StartDeviceAuth } from '../device-auth.ts';
import type { Endpoint } from './endpoint.ts';

export const DEVICE_AUTH_ENDPOINTS = {
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
