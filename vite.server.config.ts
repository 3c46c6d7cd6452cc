import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** They hold native programs, or look for files beside themselves. */
const BESIDE_THE_BUNDLE = ['better-sqlite3', 'sharp', '@node-rs/argon2'];

/** The viewer of the API reads files of its package; a bundled server does without, and its records are in SQLite. */
const LEFT_OUT = [/\/openapi\/viewer\.ts$/, /\/database\/postgres\.ts$/];

/** Bundles the built-in server of the desktop app: each program that is started by itself is a file of its own, beside the others. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'out/server',
    emptyOutDir: true,
    rollupOptions: {
      input: {
        'server-process': resolve('src/main/try-out/server-process.ts'),
        'inspector-child': resolve('src/server/media/inspector-child.ts'),
        'archive-worker-thread': resolve('src/server/folders/archive-worker-thread.ts'),
        'vision-process': resolve('src/engine/vision/vision-process.ts'),
        'render-thread': resolve('src/server/notes/render-thread.ts'),
      },
      external: [/^node:/, ...LEFT_OUT, ...builtinModules, ...BESIDE_THE_BUNDLE],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: BESIDE_THE_BUNDLE },
});
