import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** They hold native programs, or look for files beside themselves: packed as they are (electron-builder.yml). All else is bundled. */
const BESIDE_THE_BUNDLE = ['better-sqlite3', 'sharp', '@napi-rs/keyring', 'ffi-rs'];

/** All pages of the window begin with `head.html`; each has only its script of its own. */
const withHead: Plugin = {
  name: 'page-head',
  transformIndexHtml: {
    order: 'pre',
    handler: (page) =>
      page.replace('<!-- head.html -->', readFileSync(resolve('src/renderer/head.html'), 'utf8').trim()),
  },
};

/** React Aria speaks three dozen languages; those that the window does not speak are left out. */
const withOwnLanguages: Plugin = {
  name: 'own-languages',
  load: (id) =>
    /\/react-aria\/dist\/private\/intl\/\w+\/(?!en-US|ru-RU)\w\w-\w\w\.m?js$/.test(id) ? 'export default {};' : null,
};

/** Builds the Electron main process, its preload script, and the renderer that every host shows. */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve('src/main/index.ts') },
        external: BESIDE_THE_BUNDLE,
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: true,
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve('src/renderer'),
    plugins: [withHead, withOwnLanguages, react()],
    build: {
      minify: true,
      rollupOptions: {
        input: {
          index: resolve('src/renderer/index.html'),
          overlay: resolve('src/renderer/overlay.html'),
          toast: resolve('src/renderer/toast.html'),
          recorder: resolve('src/renderer/recorder.html'),
          pin: resolve('src/renderer/pin.html'),
        },
      },
    },
  },
});
