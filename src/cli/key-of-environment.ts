/** The key of the environment belongs to the service of the environment, where both are set: no other one gets it. */
import { normaliseAddress } from '../api/service-address.ts';

/** Why LINKSHOT_KEY must not be sent to this service, as a sentence; null: it may be. */
export const keyIsForAnother = (
  server: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null => {
  const { LINKSHOT_SERVER: own, LINKSHOT_KEY: key } = environment;
  if (!own || !key?.trim() || addressOf(own) === addressOf(server)) return null;
  return `LINKSHOT_KEY is for ${own} (LINKSHOT_SERVER) and is not sent to ${server}. Set both for ${server}, be prompted with --key -, or unset LINKSHOT_KEY.`;
};

const addressOf = (typed: string): string => {
  const address = normaliseAddress(typed);
  return address.ok ? address.value : typed.trim();
};
