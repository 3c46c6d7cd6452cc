/**
 * Schemas of the device connection (API decisions 4): an app gets its own API key after the user approves it in the
 * browser, without ever seeing a password, and renews the key later. Durations in seconds.
 */
import Type, { type Static } from 'typebox';
import { Account, ApiCredential } from './account.ts';
import { LIMITS } from './limits.ts';
import { WEB_ADDRESS } from './service-address.ts';

const DeviceName = Type.String({ minLength: 1, maxLength: LIMITS.deviceNameMaxCharacters, pattern: '\\S' });
const DeviceId = Type.String({ minLength: 1, maxLength: LIMITS.deviceIdMaxCharacters });

export const StartDeviceAuth = Type.Object({
  deviceName: DeviceName,
  deviceId: DeviceId,
  /** `win32` and `windows` make the `client` of the credential `windows`; any other platform makes it null. */
  platform: Type.String({ minLength: 1, maxLength: 64 }),
});

/** RFC 8628, 3.2. The user types `userCode` at `verificationUri`; `interval` is the pause between polls. */
export const DeviceAuth = Type.Object({
  deviceCode: Type.String(),
  userCode: Type.String(),
  verificationUri: Type.String({ pattern: WEB_ADDRESS }),
  verificationUriComplete: Type.String({ pattern: WEB_ADDRESS }),
  expiresIn: Type.Integer({ minimum: 1 }),
  interval: Type.Integer({ minimum: 1 }),
});
export type DeviceAuth = Static<typeof DeviceAuth>;

/** The code of an approval in the browser of the same device (RFC 8252, PKCE S256), or a poll of the fallback. */
export const DeviceToken = Type.Union([
  Type.Object({
    grantType: Type.Literal('authorization_code'),
    code: Type.String({ maxLength: 256 }),
    codeVerifier: Type.String({ maxLength: 256 }),
    redirectUri: Type.String({ maxLength: 512 }),
  }),
  Type.Object({ grantType: Type.Literal('device_code'), deviceCode: Type.String({ maxLength: 256 }) }),
]);

/** Only printable characters: a key is sent as a header value. */
const ApiKey = Type.String({ pattern: '^[!-~]{1,512}$' });

/** Only this response and `RenewedKey` contain the key. */
export const ConnectedDevice = Type.Object({ apiKey: ApiKey, credential: ApiCredential, account: Account });
export type ConnectedDevice = Static<typeof ConnectedDevice>;

export const RenewedKey = Type.Object({ apiKey: ApiKey, credential: ApiCredential });
export type RenewedKey = Static<typeof RenewedKey>;
