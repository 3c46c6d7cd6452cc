import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** They hold native programs, or look for files beside themselves. */
const BESIDE_THE_BUNDLE = ['better-sqlite3', 'sharp', '@node-rs/argon2'];

/** The viewer of the API reads files of its package; the app's server does without, and its records are in SQLite. */
const NOT_IN_THE_APP = [/\/openapi\/viewer\.ts$/, /\/database\/postgres\.ts$/];

/** Each program that is started by itself is a file of its own, beside the others. */
const STARTED = {
  'inspector-child': resolve('src/server/media/inspector-child.ts'),
  'archive-worker-thread': resolve('src/server/folders/archive-worker-thread.ts'),
  'render-thread': resolve('src/server/rendering/render-thread.ts'),
};

const APP = {
  outDir: 'out/server',
  input: {
    'server-process': resolve('src/main/try-out/server-process.ts'),
    'vision-process-entry': resolve('src/engine/vision/vision-process-entry.ts'),
    ...STARTED,
  },
  external: [...BESIDE_THE_BUNDLE, ...NOT_IN_THE_APP],
};

const COMMAND_LINE = {
  outDir: 'out/server-cli',
  input: { cli: resolve('src/server/cli.ts'), ...STARTED },
  external: [...BESIDE_THE_BUNDLE, '@fastify/swagger-ui'],
};

/** Bundles the built-in server of the desktop app, or with `--mode cli` the server's command line, which starts in a third of the time. */
export default defineConfig(({ mode }) => {
  const { outDir, input, external } = mode === 'cli' ? COMMAND_LINE : APP;
  return {
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input,
        external: [/^node:/, ...builtinModules, ...external],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
    ssr: { noExternal: true, external: external.filter((name) => typeof name === 'string') },
  };
});
