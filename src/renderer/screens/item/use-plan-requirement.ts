/**
 * Hook that returns a sentence if the account's plan lacks a feature. It names the plan of the account's trial, if
 * there is one.
 */

import type { Feature } from '../../../api/account.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';

/** Null: the plan includes it, or the plan is unknown and the service decides. */
export const usePlanRequirement = (feature: Feature): string | null => {
  const { t, language } = useLocale();
  const entitlements = useApp(({ connection }) =>
    connection.state === 'none' ? null : (connection.account?.entitlements ?? null),
  );
  if (entitlements === null || entitlements.features.includes(feature)) return null;
  const { trial } = entitlements;
  return t.item.settings.needsPlan(
    trial?.planName[language] ?? null,
    trial?.state === 'available' ? 'available' : 'none',
  );
};
