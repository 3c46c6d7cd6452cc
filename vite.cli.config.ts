import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** undici asks for HTTP/2 only where it is allowed to, and it never is: Node's part of it would be a twentieth of a capture's time. */
const WITHOUT_HTTP2 = {
  name: 'without-http2',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.endsWith('undici/lib/dispatcher/client-h2.js')
      ? 'module.exports = () => { throw new Error("HTTP/2 is not allowed here.") }'
      : undefined,
};

/** Bundles the command line for packages: one file beside the native modules, so that a short command starts at once. */
export default defineConfig({
  plugins: [WITHOUT_HTTP2],
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'out/cli',
    emptyOutDir: true,
    rollupOptions: {
      input: {
        cli: resolve('src/cli/cli.ts'),
        'vision-process-entry': resolve('src/engine/vision/vision-process-entry.ts'),
      },
      external: [/^node:/, ...builtinModules, 'better-sqlite3', 'sharp', '@napi-rs/keyring', 'ffi-rs'],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: ['better-sqlite3', 'sharp', '@napi-rs/keyring', 'ffi-rs'] },
});
