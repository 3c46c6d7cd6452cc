/** Most commands: go to the queue, agree with the service, do one thing, leave. Every failure is reported. */
import { err, ok, type Result } from '../../api/errors.ts';
import type { Keys, Surroundings } from '../context.ts';
import { makeContact } from './connect-with-retry.ts';
import type { Desk } from './engine-client.ts';

/** Opens the desk and uses the connection of the command line, unless only the profile is looked at. */
const openConnected = async (surroundings: Surroundings, keys: Keys, signal: AbortSignal): Promise<Result<Desk>> => {
  const opened = await surroundings.openDesk(keys, signal);
  if (!opened.ok || keys !== 'given') return opened;
  const contact = await makeContact(opened.value, surroundings, signal);
  if (contact.ok) return opened;
  await opened.value.close();
  return err(contact.error);
};

export const atDesk = async (
  surroundings: Surroundings,
  keys: Keys,
  signal: AbortSignal,
  work: (desk: Desk) => Promise<Result<unknown>>,
): Promise<void> => {
  const desk = await openConnected(surroundings, keys, signal);
  if (!desk.ok) return surroundings.report.failed(null, desk.error);
  const done = await work(desk.value).finally(() => desk.value.close());
  if (!done.ok) surroundings.report.failed(null, done.error);
};

export const DONE = ok(undefined);
