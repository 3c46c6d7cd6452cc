/**
 * Formats an account as the object that JSON output prints, and as a page for the terminal: identity, limits, usage.
 */

import { keyEndOf, planEndOf } from '../../api/never-expires.ts';
import type { Connection } from '../../ipc/protocol/app-state.ts';
import { columns, formatBytes, formatTime, printable, type Style } from './format.ts';

type Connected = Extract<Connection, { state: 'connected' }>;

export const accountLine = ({ server, account, keyPlace }: Connected): object => {
  const { user, limits, entitlements, credential } = account;
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    server,
    plan: user.plan?.code ?? 'free',
    storageUsed: user.storageUsed,
    quotaBytes: user.quotaBytes,
    maxImageBytes: limits.maxImageBytes,
    maxVideoBytes: limits.maxVideoBytes,
    features: entitlements.features,
    keyPlace,
    ...(credential && {
      key: { name: credential.name, scopes: credential.scopes, expiresAt: keyEndOf(credential)?.toISOString() ?? null },
    }),
  };
};

const PLACES: Readonly<Record<Connected['keyPlace'], string>> = {
  keyring: 'in the key store of this computer',
  session: 'for this run only',
  embedded: 'created at each start',
};

export const accountPage = ({ server, account, keyPlace }: Connected, style: Style): string => {
  const { user, limits, entitlements, credential } = account;
  const keyEnd = credential ? keyEndOf(credential) : null;
  const planEnd = user.plan ? planEndOf(user.plan) : null;
  const share = user.quotaBytes > 0 ? Math.round((user.storageUsed / user.quotaBytes) * 100) : 100;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Service', server],
    ['Plan', (user.plan?.name.en ?? 'Free') + (planEnd ? `, until ${formatTime(planEnd)}` : '')],
    ['Storage', `${formatBytes(user.storageUsed)} of ${formatBytes(user.quotaBytes)} (${share} %)`],
    ['Largest', `image ${formatBytes(limits.maxImageBytes)}, video ${formatBytes(limits.maxVideoBytes)}`],
    ['Features', entitlements.features.length > 0 ? entitlements.features.join(', ') : null],
    ['Key', credential ? `${printable(credential.name)}, ${PLACES[keyPlace]}` : PLACES[keyPlace]],
    ['May', credential ? credential.scopes.join(', ') : null],
    ['Key expires', keyEnd ? formatTime(keyEnd) : null],
  ];
  const shown = facts.flatMap(([term, value]) => (value === null ? [] : [[style.dim(term), value]]));
  return [`${style.bold(printable(user.username))}  ${printable(user.name)}`.trimEnd(), ...columns(shown)].join('\n');
};
