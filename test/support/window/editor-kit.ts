/** The editor's document and export in a page without the window around them: `window.kit` in real Chromium. */
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import type { Command } from '../../../src/renderer/drawing/document.ts';
import { openBrowser } from '../browser/chromium.ts';
import type * as kit from './editor-kit-page.ts';

declare global {
  interface Window {
    kit: typeof kit;
  }
}

const ENTRY = fileURLToPath(new URL('./editor-kit-page.ts', import.meta.url));

const bundle = async (): Promise<string> => {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry: ENTRY, formats: ['iife'], name: 'kit' } },
  })) as Rolldown.RolldownOutput[];
  const code = built[0]?.output[0].code;
  if (code === undefined) throw new Error('Nothing was built.');
  return code;
};

export interface EditorKit {
  readonly browser: Browser;
  /** A page with the kit, on a display of that scale. */
  page(deviceScaleFactor: number): Promise<Page>;
  close(): Promise<void>;
}

export const startEditorKit = async (): Promise<EditorKit> => {
  const code = await bundle();
  const browser = await openBrowser();
  return {
    browser,
    page: async (deviceScaleFactor) => {
      const context = await browser.newContext({ deviceScaleFactor });
      const page = await context.newPage();
      await page.addScriptTag({ content: `${code}\nwindow.kit = kit;` });
      return page;
    },
    close: () => browser.close(),
  };
};

/** Exports `png` with the commands done to it; answers the bytes of the PNG that leaves. */
export const exportEdited = async (page: Page, png: Uint8Array, commands: readonly Command[]): Promise<Buffer> => {
  const encoded = await page.evaluate(
    async ({ source, deeds }) => {
      const { apply, emptyDocument, exportPicture, loadOriginal } = window.kit;
      const original = await loadOriginal(`data:image/png;base64,${source}`, new AbortController().signal);
      if (!original) throw new Error('The picture cannot be read.');
      const { width, height } = original;
      const document = deeds.reduce(apply, emptyDocument({ width, height }));
      const blob = await exportPicture(original, document);
      original.close();
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let text = '';
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
    { source: Buffer.from(png).toString('base64'), deeds: [...commands] },
  );
  return Buffer.from(encoded, 'base64');
};
