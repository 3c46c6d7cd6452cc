/**
 * Shares one X connection among occasional requests: opened on first use, closed when idle, and reopened after the
 * server died.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import { connectX, isXError, type XConnection, XConnectionClosed, type XServer } from './x11-connection.ts';

export interface SharedX11Connection {
  /** Errors: CAPTURE_UNAVAILABLE with the reason, CANCELLED. Bugs of `work` are thrown. */
  use<T>(work: (x: XConnection) => Promise<T>, signal: AbortSignal): Promise<Result<T>>;
}

const IDLE_MS = 60_000;
/** A healthy server answers within milliseconds; one that another program has grabbed may take longer. */
const TIMEOUT_MS = 20_000;

export const createSharedX11Connection = (server: XServer): SharedX11Connection => {
  const silent = `The X server ${server.display} does not answer. Try again.`;
  let opening: Promise<Result<XConnection, string>> | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  const forget = (connection: typeof opening) => {
    if (opening === connection) opening = null;
  };
  const open = (): Promise<Result<XConnection, string>> => {
    if (opening) return opening;
    // Not cancellable by the first caller, because others may wait for the same connection.
    const connecting = connectX(server, AbortSignal.timeout(TIMEOUT_MS)).catch(() => err(silent));
    opening = connecting;
    connecting
      .then((connected) => {
        if (connected.ok) onAbort(connected.value.over, () => forget(connecting));
        else forget(connecting);
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
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
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
        if (error instanceof XConnectionClosed)
          return err(unavailable(`The X server ${server.display} ended meanwhile. Try again when it runs.`));
        // The desktop changed between two requests.
        if (isXError(error))
          return err(unavailable(`The X server ${server.display} refused (${error.message}). Try again.`));
        throw error;
      } finally {
        users--;
        if (users === 0) idle = setTimeout(() => void close().catch(() => {}), IDLE_MS).unref();
      }
    },
  };
};

const cancelled = () => failure('CANCELLED', 'The capture was cancelled.');

const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const unfollow = onAbort(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(unfollow);
  });
