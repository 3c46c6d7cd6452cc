/** Scripts for a page: drops a picture and records when its link appears; a bare page sends the picture itself. */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** Milliseconds from the drop to the link. */
    dropPicture(name: string, base64: string): Promise<number>;
  }
}

/** Runs in the window before its own scripts. */
const installDrop = (): void => {
  let onLinked: (() => void) | null = null;
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      this.addEventListener('message', ({ data }) => {
        if (String(data).startsWith('{"event":{"type":"linked"')) onLinked?.();
      });
    }
  };
  window.dropPicture = (name, base64) =>
    new Promise((resolve) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name, { type: 'image/jpeg' }));
      // What was allocated for the drop is no part of it.
      setTimeout(() => {
        const began = performance.now();
        onLinked = () => resolve(performance.now() - began);
        for (const type of ['dragenter', 'dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      }, 50);
    });
};

/** Runs in the bare page. */
const installPut = (): void => {
  window.dropPicture = async (name, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const file = new File([bytes], name, { type: 'image/jpeg' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    const headers = { 'content-type': 'application/octet-stream' };
    const reply = await fetch('/', { method: 'PUT', body: file, headers });
    await reply.json();
    return performance.now() - began;
  };
};

export const INSTALL = { linkshot: installDrop, bare: installPut } as const;

/** Milliseconds from the drop to the link, as the page sees it. */
export const dropInto = (page: Page, name: string, picture: Buffer): Promise<number> =>
  page.evaluate(([file, text]) => window.dropPicture(file, text), [name, picture.toString('base64')] as const);
