/** Runs most commands: open the client, connect to the service, run, close. Every error is reported. */
import { err, ok, type Result } from '../../api/errors.ts';
import type { CommandContext, Keys } from '../context.ts';
import { connectWithRetry } from './connect-with-retry.ts';
import type { EngineClient } from './engine-client.ts';

/** Opens the client and uses the connection of the command line, unless only the profile is read. */
const openConnected = async (
  context: CommandContext,
  keys: Keys,
  signal: AbortSignal,
): Promise<Result<EngineClient>> => {
  const opened = await context.openClient(keys, signal);
  if (!opened.ok || keys !== 'given') return opened;
  const contact = await connectWithRetry(opened.value, context, signal);
  if (contact.ok) return opened;
  await opened.value.close();
  return err(contact.error);
};

export const withEngine = async (
  context: CommandContext,
  keys: Keys,
  signal: AbortSignal,
  work: (client: EngineClient) => Promise<Result<unknown>>,
): Promise<void> => {
  const client = await openConnected(context, keys, signal);
  if (!client.ok) return context.report.failed(null, client.error);
  const done = await work(client.value).finally(() => client.value.close());
  if (!done.ok) context.report.failed(null, done.error);
};

export const DONE = ok(undefined);
