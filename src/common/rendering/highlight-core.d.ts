/** highlight.js ships types for its whole package only; its core has the same interface. */
declare module 'highlight.js/lib/core' {
  import type { HLJSApi } from 'highlight.js';

  const hljs: HLJSApi;
  export default hljs;
}
