/** `GET /api/v1/account` (API document, "Account response"). */
import type { Account, ApiCredential, User } from '../../contract/account.ts';
import { API } from '../../contract/api.ts';
import type { ServerDeps } from '../deps.ts';
import { type App, routeOf } from '../http/route.ts';
import type { AccountRow } from './accounts.ts';
import { keyHolder } from './auth.ts';
import { type KeyRow, scopesOf } from './keys.ts';
import { entitlementsOf, limitsOf, planOf, quotaOf } from './plan.ts';

export const registerAccountRoutes = (app: App, { config, clock }: ServerDeps): void => {
  app.route({
    ...routeOf(API.readAccount),
    handler: async (request): Promise<Account> => {
      const { account, key } = keyHolder(request);
      const now = clock.now();
      return {
        user: {
          ...profileOf(account),
          quotaBytes: quotaOf(config, account, now),
          plan: planOf(account, now),
        },
        limits: limitsOf(config, account, now),
        entitlements: entitlementsOf(config, account, now),
        credential: credentialOf(key),
      };
    },
  });
};

const profileOf = (account: AccountRow): Omit<User, 'quotaBytes' | 'plan'> => ({
  id: account.id,
  username: account.username,
  name: account.name,
  palette: account.palette,
  bio: account.bio,
  copyLink: account.copyLink === 1,
  privateByDefault: account.privateByDefault === 1,
  unlistedPreviews: account.unlistedPreviews === 1,
  previewAuthor: account.previewAuthor === 1,
  captureHotkey: account.captureHotkey,
  avatarUrl: account.avatarUrl,
  avatarRevision: account.avatarRevision,
  storageUsed: account.storageUsed,
  createdAt: new Date(account.createdAt).toISOString(),
});

const credentialOf = (key: KeyRow): ApiCredential => ({
  id: key.id,
  name: key.name,
  scopes: [...scopesOf(key)],
  expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
  client: key.client,
  deviceName: key.deviceName,
});
