/** The device data of a connection, and the key's fields derived from it. Untrusted: only shown and compared. */
import { SCOPES, type Scope } from '../../api/account.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Device } from '../accounts/keys.ts';

/** The only supported app (`client_id=desktop`). */
export const APP_NAME = 'Linkshot';

/** The app shares, lists and deletes items, and reads the account. */
export const CONNECTION_SCOPES: readonly Scope[] = SCOPES;

/** `credential.client`: `windows` on Windows, else null. */
export const clientOf = (platform: string): Device['client'] =>
  ['windows', 'win32'].includes(platform.toLowerCase()) ? 'windows' : null;

/** A name for display: control characters become spaces. */
export const cleanDeviceName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .trim();

/** `credential.name`: the app and the device. */
export const keyNameOf = ({ deviceName }: Device): string =>
  [...`${APP_NAME} · ${deviceName}`].slice(0, LIMITS.keyNameMaxCharacters).join('');
