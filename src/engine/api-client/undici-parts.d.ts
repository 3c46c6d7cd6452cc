/** Types of the two parts of undici that `http-pool.ts` imports by path. */
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Dispatcher, Pool } from 'undici';

  /** Only the index adds `request` to it. */
  const pool: new (origin: string, options: Pool.Options) => Pick<Dispatcher, 'dispatch' | 'close' | 'destroy'>;
  export default pool;
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  const request: (
    this: Pick<Dispatcher, 'dispatch'>,
    options: Dispatcher.RequestOptions,
  ) => Promise<Dispatcher.ResponseData>;
  export default request;
}
