/** Paths of `file:` addresses that other programs hand over. */
import { fileURLToPath } from 'node:url';

/**
 * Null: it is no address of a file of this computer. Windows would take `file://host/share` for `\\host\share`, and whoever
 * opens that sends the host a proof of the password.
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
