/**
 * Reads and writes the clipboard through Electron. A copied picture, and on Windows a copied text, is verified by
 * reading it back, or an error is returned.
 */
import { ClipboardItem, clipboard, nativeImage } from 'electron';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { pathOfFileUrl } from '../../base/node/file-url.ts';
import type { Clipboard, Clock } from '../../engine/ports.ts';

/** Another program may lock the clipboard for a moment. */
const TRIES = 20;
const BETWEEN_MS = 100;
const PNG = 'image/png';
/** Copied files, one `file:` URL per line (RFC 2483). */
const FILES = 'text/uri-list';
const NEVER = new AbortController().signal;

export interface DesktopClipboard extends Required<Clipboard> {
  /** Paths of the copied files; empty without any. */
  readFiles(): Promise<Result<readonly string[]>>;
}

/** The text as each system gives it back. */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').split('\0', 1)[0] ?? '';

const read = async (type: string): Promise<Blob | null> => {
  for (const item of await clipboard.read()) {
    const content = item.types.includes(type) ? await item.getType(type) : null;
    if (content instanceof Blob) return content;
  }
  return null;
};

/** The system may re-encode it; its size stays. */
const sizeOf = (png: Uint8Array): string => JSON.stringify(nativeImage.createFromBuffer(Buffer.from(png)).getSize());

const refused = (what: string, error: unknown): Result<never> =>
  err(failure('APP_FAILED', `${what}: ${messageOf(error)}`));

export const createClipboard = (clock: Pick<Clock, 'sleep'>, platform: NodeJS.Platform): DesktopClipboard => {
  // There a clipboard that another program has open takes nothing and gives nothing, without an error.
  const isSilent = platform === 'win32';

  /** Windows names the types also of a clipboard that cannot be opened. */
  const readWhole = async (type: string): Promise<Blob | null> => {
    const content = await read(type);
    if (isSilent && content?.size === 0) throw new Error('another program has it open');
    return content;
  };

  const readPng = async (): Promise<Uint8Array | null> => {
    const content = await readWhole(PNG);
    return content && new Uint8Array(await content.arrayBuffer());
  };

  const readPaths = async (): Promise<readonly string[]> => {
    const list = (await (await readWhole(FILES))?.text()) ?? '';
    return list.split(/\r?\n/).flatMap((line) => pathOfFileUrl(line.trim()) ?? []);
  };

  /** Retries until nothing is thrown; then rejects with the last error. */
  const insist = async <T>(act: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await act();
      } catch (error) {
        if (tries === TRIES) throw error;
        await clock.sleep(BETWEEN_MS, NEVER);
      }
    }
  };

  return {
    async writeText(text) {
      try {
        await insist(async () => {
          await clipboard.writeText(text);
          if (isSilent && plain(await clipboard.readText()) !== plain(text))
            throw new Error('another program has it open');
        });
        return ok(undefined);
      } catch (error) {
        return refused('The text could not be copied to the clipboard', error);
      }
    },
    async readText() {
      try {
        return ok(await clipboard.readText());
      } catch (error) {
        return refused('The clipboard cannot be read', error);
      }
    },
    async readFiles() {
      try {
        return ok(await insist(readPaths));
      } catch (error) {
        return refused('The clipboard cannot be read', error);
      }
    },
    async writePicture(png) {
      const blob = new Blob([new Uint8Array(png)], { type: PNG });
      const size = sizeOf(png);
      try {
        await insist(async () => {
          await clipboard.write([new ClipboardItem({ [PNG]: blob })]);
          const found = await readPng();
          if (found === null || sizeOf(found) !== size) throw new Error('another program took its place');
        });
        return ok(undefined);
      } catch (error) {
        return refused('The image could not be copied to the clipboard', error);
      }
    },
    async readPicture() {
      try {
        return ok(await insist(readPng));
      } catch (error) {
        return refused('The clipboard cannot be read', error);
      }
    },
  };
};
