/**
 * HTTP connections to one origin, kept alive. Takes only undici's pool and its request: the index would load fetch, caches
 * and WebSocket as well, which is a third of the app's start-up time and memory.
 */
import type { Dispatcher, Pool as PoolTypes } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

export interface HttpPool {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Lets the requests under way end. */
  close(): Promise<void>;
  /** Breaks off whatever is under way. */
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
