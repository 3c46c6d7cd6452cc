/**
 * Runs a command that needs the engine: opens the client, runs the command, closes the client and reports errors. If
 * the command uses the service, first connects, with retries, to the service that the command line or the environment
 * names.
 */
import { err, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ClientOptions, CommandContext, Keys } from '../command-context.ts';
import type { EngineClient } from './engine-client.ts';

// First contact with a service: reports a mistyped address soon, and waits for a service that is just starting.

/** A refused connection probably means a mistyped address. */
export const FIRST_CONTACT_MS = 3_000;
/** Something answers, but not correctly: a service that is starting behind its proxy. */
const STARTING_MS = 15_000;
/** An address that never answers. */
const SILENCE_MS = 10_000;
/** Doubled after each attempt, to spare a failing service. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const NOBODY_THERE: ReadonlySet<string> = new Set(['CONNECTION_REFUSED', 'SERVER_UNREACHABLE', 'NOT_THE_SERVICE']);

/** Uses the connection of the command line, if there is one. */
export const connectWithRetry = async (
  client: EngineClient,
  { contact, clock }: Pick<CommandContext, 'contact' | 'clock'>,
  signal: AbortSignal,
): Promise<Result<void>> => {
  if (!contact) return ok(undefined);
  const started = clock.monotonic();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const silence = AbortSignal.timeout(SILENCE_MS);
    const connected = await client.connect(contact, AbortSignal.any([signal, silence]));
    if (connected.ok || signal.aborted) return connected;
    if (silence.aborted) return err(failure('SERVER_UNREACHABLE', 'The service did not respond.'));
    const mayPass = retryOf(connected.error.code) === 'backoff' || retryOf(connected.error.code) === 'wait';
    const patienceMs = NOBODY_THERE.has(connected.error.code) ? FIRST_CONTACT_MS : STARTING_MS;
    if (!mayPass || clock.monotonic() >= started + patienceMs) return connected;
    // The next attempt reports an abort.
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
};

/** Opens the client and uses the connection of the command line, unless only the profile is read. */
const openConnected = async (
  context: CommandContext,
  keys: Keys,
  signal: AbortSignal,
  options: ClientOptions,
): Promise<Result<EngineClient>> => {
  const opened = await context.openClient(keys, signal, options);
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
  options: ClientOptions = {},
): Promise<void> => {
  const client = await openConnected(context, keys, signal, options);
  if (!client.ok) return context.report.failed(null, client.error);
  const done = await work(client.value).finally(() => client.value.close());
  if (!done.ok) context.report.failed(null, done.error);
};

export const DONE = ok(undefined);
