/** The first word with a service: a mistyped address is told soon, a service that is just starting is waited for. */
import { err, failure, ok, type Result, retryOf } from '../contract/errors.ts';
import type { Arguments } from './arguments.ts';
import type { Desk } from './desk.ts';

/** Without a first word from the service for this long, a person has probably mistyped its address. */
export const FIRST_CONTACT_MS = 3_000;
/** An address that swallows everything in silence. */
const SILENCE_MS = 10_000;
const RETRY_MS = 200;

/** Uses the connection of the command line, if there is one. */
export const makeContact = async (
  desk: Desk,
  connection: Arguments['connection'],
  signal: AbortSignal,
): Promise<Result<void>> => {
  if (!connection) return ok(undefined);
  const givingUp = performance.now() + FIRST_CONTACT_MS;
  for (;;) {
    const silence = AbortSignal.timeout(SILENCE_MS);
    const connected = await desk.connect(connection, AbortSignal.any([signal, silence]));
    if (connected.ok || signal.aborted) return connected;
    if (silence.aborted) return err(failure('SERVER_UNREACHABLE', 'The service did not answer.'));
    const mayPass = retryOf(connected.error.code) === 'backoff' || retryOf(connected.error.code) === 'wait';
    if (!mayPass || performance.now() > givingUp) return connected;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
};
