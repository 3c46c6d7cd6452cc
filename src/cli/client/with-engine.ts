/**
 * Runs a command that needs the engine: opens the client, runs the command, closes the client and reports errors. If
 * the command uses the service, first connects, with retries, to the service that the command line or the environment
 * names.
 */
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { ClientOptions, CommandContext, Keys } from '../command-context.ts';
import { otherService } from '../key-of-environment.ts';
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

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

/** Uses the connection of the command line, if there is one. Errors: COMMAND_INVALID where the profile's is another. */
export const connectWithRetry = async (
  client: EngineClient,
  { contact, server, clock }: Pick<CommandContext, 'contact' | 'server' | 'clock'>,
  signal: AbortSignal,
): Promise<Result<void>> => {
  if (!contact) return ownConnection(client, server);
  const started = clock.monotonic();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const silence = AbortSignal.timeout(SILENCE_MS);
    const connected = await client.connect(contact, AbortSignal.any([signal, silence]));
    if (connected.ok || signal.aborted) return connected;
    if (silence.aborted) return err(failure('SERVER_UNREACHABLE', 'The service did not respond.'));
    const patienceMs = NOBODY_THERE.has(connected.error.code) ? FIRST_CONTACT_MS : STARTING_MS;
    if (!isPassing(connected.error) || clock.monotonic() >= started + patienceMs) return connected;
    // The next attempt reports an abort.
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
};

/** `server`: of the environment, because an option needs a key. */
export const ownConnection = (client: EngineClient, server: string | undefined): Result<void> => {
  const other = otherService(client.state().connection, server);
  if (other === null) return DONE;
  const detail = `LINKSHOT_SERVER is ${server}, but this profile is connected to ${other}. Set LINKSHOT_KEY to a key of ${server}, run linkshot connect, or unset LINKSHOT_SERVER.`;
  return err(failure('COMMAND_INVALID', detail));
};

interface EngineOptions extends ClientOptions {
  /** `optional`: where the service cannot be reached now, the work gets that failure. By default the command ends. */
  readonly contact?: 'optional';
}

/** `contact`: the failure of an optional one. */
type Work = (client: EngineClient, contact: Result<void>) => Promise<Result<unknown>>;

export const withEngine = async (
  context: CommandContext,
  keys: Keys,
  signal: AbortSignal,
  work: Work,
  { contact, ...options }: EngineOptions = {},
): Promise<void> => {
  const client = await context.openClient(keys, signal, options);
  if (!client.ok) return context.report.failed(null, client.error);
  const connectAndWork = async (): Promise<Result<unknown>> => {
    const contacted = keys === 'given' ? await connectWithRetry(client.value, context, signal) : DONE;
    const mayWork = contacted.ok || (contact === 'optional' && isPassing(contacted.error));
    return mayWork ? work(client.value, contacted) : contacted;
  };
  const done = await connectAndWork().finally(() => client.value.close());
  if (!done.ok) context.report.failed(null, done.error);
};

export const DONE = ok(undefined);
