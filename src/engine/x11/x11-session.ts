/**
 * The X server as those use it who ask now and then: connected at the first question, kept for the next ones, closed when
 * nobody asks for a while, and connected anew after the server died.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { connectX, isXError, type XConnection, XGone, type XPlace } from './x11-connection.ts';

export interface XSession {
  /** Errors: CAPTURE_UNAVAILABLE with what is wrong, CANCELLED. Bugs of `work` pass. */
  use<T>(work: (x: XConnection) => Promise<T>, signal: AbortSignal): Promise<Result<T>>;
}

const IDLE_MS = 60_000;
/** A healthy server answers within milliseconds; one that another program holds may take its time. */
const PATIENCE_MS = 20_000;

export const createXSession = (place: XPlace): XSession => {
  const silent = `The X server ${place.display} does not answer. Try again.`;
  let opening: Promise<Result<XConnection, string>> | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  const forget = (connection: typeof opening) => {
    if (opening === connection) opening = null;
  };
  const open = (): Promise<Result<XConnection, string>> => {
    if (opening) return opening;
    // Whoever asks first and gives up must not decide for the others.
    const connecting = connectX(place, AbortSignal.timeout(PATIENCE_MS)).catch(() => err(silent));
    opening = connecting;
    connecting
      .then((connected) => {
        if (!connected.ok || connected.value.over.aborted) forget(connecting);
        else connected.value.over.addEventListener('abort', () => forget(connecting));
      })
      .catch(() => {});
    return connecting;
  };
  const close = async (): Promise<void> => {
    const connected = await opening;
    if (connected?.ok && users === 0) await connected.value.close();
  };

  const unavailable = (detail: string): Failure => failure('CAPTURE_UNAVAILABLE', detail);

  return {
    async use(work, signal) {
      if (signal.aborted) return err(cancelled());
      const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      users++;
      clearTimeout(idle);
      try {
        return await orAborted(
          open().then(async (x) => (x.ok ? ok(await work(x.value)) : err(unavailable(x.error)))),
          limit,
        );
      } catch (error) {
        if (signal.aborted) return err(cancelled());
        if (limit.aborted) return err(unavailable(silent));
        if (error instanceof XGone)
          return err(unavailable(`The X server ${place.display} ended meanwhile. Try again when it runs.`));
        // The desktop was changed between a question and the next one.
        if (isXError(error))
          return err(unavailable(`The X server ${place.display} refused (${error.message}). Try again.`));
        throw error;
      } finally {
        users--;
        if (users === 0) idle = setTimeout(() => void close().catch(() => {}), IDLE_MS).unref();
      }
    },
  };
};

const cancelled = () => failure('CANCELLED', 'The capture was given up.');

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
