import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** Bundles the command line for packages: one file beside the native modules, so that a short command starts at once. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'out/cli',
    emptyOutDir: true,
    rollupOptions: {
      input: { cli: resolve('src/cli/cli.ts') },
      external: [/^node:/, ...builtinModules, 'better-sqlite3', 'sharp', '@napi-rs/keyring'],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: ['better-sqlite3', 'sharp', '@napi-rs/keyring'] },
});
