/**
 * Keep-alive HTTP connections to one origin. Imports only undici's pool and request: its index would also load fetch,
 * caches and WebSocket, a third of the app's start-up time and memory.
 */
import type { Dispatcher, Pool as PoolTypes } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

export interface HttpPool {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Waits for the requests in flight. */
  close(): Promise<void>;
  /** Aborts the requests in flight. */
  destroy(): Promise<void>;
}

export const openHttpPool = (origin: string, options: PoolTypes.Options): HttpPool => {
  const pool = new Pool(origin, options);
  return {
    request: (what) => request.call(pool, what),
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
};
