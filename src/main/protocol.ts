/** Answers `app://linkshot/`: the built renderer and the thumbnails, with the headers of every host, and nothing else. */
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { protocol } from 'electron';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { ItemId } from '../contract/ids.ts';
import type { Engine } from '../engine/engine.ts';
import { PAGE_HEADERS } from '../host/page-security.ts';
import { isOwnAddress, SCHEME } from './address.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const Thumbnail = Type.Object({ id: ItemId });
const notFound = (): Response => new Response('Not found.', { status: 404, headers: PAGE_HEADERS });

export interface ProtocolDeps {
  readonly engine: Pick<Engine, 'thumbnail'>;
  readonly rendererDir: string;
}

/** The file that an address of the page means, or null where it means none of ours. */
const fileOf = (address: string, { engine, rendererDir }: ProtocolDeps): string | null => {
  if (!isOwnAddress(address)) return null;
  const path = decodeURIComponent(new URL(address).pathname);
  const [, id] = /^\/thumbnails\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) {
    const asked = { id };
    return Value.Check(Thumbnail, asked) ? engine.thumbnail(asked.id) : null;
  }
  const file = resolve(join(rendererDir, path));
  return file.startsWith(resolve(rendererDir) + sep) ? file : null;
};

/** Call it once, when the app is ready. */
export const servePage = (deps: ProtocolDeps): void => {
  protocol.handle(SCHEME, async ({ url, method }) => {
    const file = method === 'GET' ? fileOf(url, deps) : null;
    const bytes = file && (await readFile(file).catch(() => null));
    if (!file || !bytes) return notFound();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    return new Response(bytes, { headers: { ...PAGE_HEADERS, 'content-type': type } });
  });
};
