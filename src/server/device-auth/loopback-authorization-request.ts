/**
 * Validates the parameters of `/connect`, by which an app asks to be connected, and builds the address of the redirect
 * back to the app (API decisions 4; RFC 8252, RFC 7636).
 */
import { SCOPES, type Scope } from '../../api/account.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Device } from '../accounts/api-keys.ts';
import { cleanDeviceName, clientOf } from './device-details.ts';

/** The app shares, lists and deletes items, and reads the account. */
export const CONNECTION_SCOPES: readonly Scope[] = SCOPES;

interface AuthorizationRequest {
  readonly device: Device;
  readonly challenge: string;
  /** On this machine only: a code must not leave it. */
  readonly redirectUri: string;
  readonly state: string;
}

/** Base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const LOOPBACK = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})\/[\x21\x24-\x5b\x5d-\x7e]*$/;
const STATE_MAX = 512;
const REDIRECT_MAX = 512;

/** The parameters that the page's form sends back. */
export const APPROVAL_FIELDS = [
  'client_id',
  'device_name',
  'device_id',
  'platform',
  'code_challenge',
  'code_challenge_method',
  'redirect_uri',
  'state',
] as const;

const isLoopback = (uri: string): boolean => {
  const port = LOOPBACK.exec(uri)?.[1];
  return port !== undefined && Number(port) <= 65_535 && uri.length <= REDIRECT_MAX && URL.canParse(uri);
};

/**
 * Null: not a request that this service serves; the browser is not redirected. `userAgent` is of the browser, which
 * runs on the app's own device and indicates its platform if the app does not.
 */
export const readAuthorizationRequest = (
  parameters: URLSearchParams,
  userAgent: string,
): AuthorizationRequest | null => {
  const one = (name: (typeof APPROVAL_FIELDS)[number]): string => parameters.get(name) ?? '';
  const deviceName = cleanDeviceName(one('device_name'));
  const deviceId = one('device_id');
  const [challenge, redirectUri, state] = [one('code_challenge'), one('redirect_uri'), one('state')];
  const isServed =
    one('client_id') === 'desktop' &&
    deviceName !== '' &&
    [...deviceName].length <= LIMITS.deviceNameMaxCharacters &&
    deviceId !== '' &&
    [...deviceId].length <= LIMITS.deviceIdMaxCharacters &&
    CHALLENGE.test(challenge) &&
    ['', 'S256'].includes(one('code_challenge_method')) &&
    isLoopback(redirectUri) &&
    state.length <= STATE_MAX;
  if (!isServed) return null;
  const platform = one('platform') || (userAgent.includes('Windows NT') ? 'windows' : 'other');
  return { device: { deviceId, deviceName, client: clientOf(platform) }, challenge, redirectUri, state };
};

/** The redirect to the app, with the result and the app's own state. */
export const answerAddress = (
  { redirectUri, state }: AuthorizationRequest,
  answer: Readonly<Record<'code' | 'error', string | undefined>>,
): string => {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, state: state === '' ? undefined : state })) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address.href;
};
