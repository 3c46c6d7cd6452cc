/** undici's index loads its fetch, caches and WebSocket too: twice the start-up time and memory of the one part used here. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
