/** Converts `file:` URLs from other programs to paths. */
import { fileURLToPath } from 'node:url';

/**
 * Null if the URL does not name a file on this computer. Windows would take `file://host/share` for `\\host\share`, and
 * opening that sends the host a proof of the user's password.
 */
export const pathOfFileUrl = (address: string): string | null => {
  const url = URL.parse(address);
  if (url?.protocol !== 'file:' || url.host !== '') return null;
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
};
