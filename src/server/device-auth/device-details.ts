/**
 * Cleans the name that a device sends when it connects, recognises Windows by its platform, and names the device's key.
 * Name and platform are untrusted: they are only shown and compared.
 */
import { LIMITS } from '../../api/limits.ts';
import type { Device } from '../accounts/api-keys.ts';

/** The only supported app (`client_id=desktop`). */
export const APP_NAME = 'Linkshot';

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
