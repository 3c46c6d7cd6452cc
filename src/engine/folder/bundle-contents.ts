/**
 * Reads a folder bundle that a page streamed into the spool. Bundles are untrusted: one whose header does not match its
 * bytes, or with a path outside the folder, is rejected completely.
 */
import type { FileHandle } from 'node:fs/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { open } from '../../base/node/retrying-fs.ts';
import { BUNDLE_LEAD, BundleHead, headLength, isInside } from '../../common/folder/bundle.ts';
import type { StaysOut } from '../../common/folder/folder-preview.ts';
import { createValidator } from '../../ipc/protocol/validator.ts';
import type { FolderContents } from './folder-contents.ts';

const isHead = createValidator(BundleHead);

const BROKEN = failure('SOURCE_UNREADABLE', 'The copy of this folder is damaged. Add the folder again.');
const MISSING = failure('SOURCE_MISSING', 'The copy of this folder is not there any more. Add the folder again.');

const readAt = async (file: FileHandle, length: number, position: number): Promise<Buffer | null> => {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return bytes;
};

const parse = (json: Buffer | null): BundleHead | null => {
  try {
    const head: unknown = JSON.parse(json?.toString() ?? '');
    return isHead(head) ? head : null;
  } catch {
    return null;
  }
};

/** Byte ranges of the files. Null when the header does not match the bundle's size, or contains a forbidden path. */
const rangesOf = ({ files }: BundleHead, start: number, end: number) => {
  const ranges = new Map<string, { readonly start: number; readonly size: number }>();
  let at = start;
  for (const { path, size } of files) {
    if (!isInside(path) || ranges.has(path) || size > LIMITS.folderFileBytes) return null;
    ranges.set(path, { start: at, size });
    at += size;
  }
  return at === end ? ranges : null;
};

const sumOf = (skips: readonly StaysOut[]) => ({
  skippedFiles: skips.reduce((sum, { files }) => sum + (files ?? 0), 0),
  uncountedFolders: skips.filter(({ files }) => files === null).length,
});

/** Errors: SOURCE_MISSING, SOURCE_UNREADABLE. */
export const openBundle = async (path: string): Promise<Result<FolderContents>> => {
  const file = await open(path).catch(() => null);
  if (!file) return err(MISSING);
  const contents = await read(file);
  if (contents) return ok(contents);
  await file.close();
  return err(BROKEN);
};

const read = async (file: FileHandle): Promise<FolderContents | null> => {
  const lead = await readAt(file, BUNDLE_LEAD, 0);
  const length = lead && headLength(lead);
  const head = length === null ? null : parse(await readAt(file, length, BUNDLE_LEAD));
  const ranges = head && rangesOf(head, BUNDLE_LEAD + (length ?? 0), (await file.stat()).size);
  if (!head || !ranges) return null;
  const { skipped, gitignore, ...counted } = head.account;
  const listed = sumOf(skipped);
  return {
    files: head.files,
    skips: [...skipped],
    unlisted: {
      skippedFiles: Math.max(0, counted.skippedFiles - listed.skippedFiles),
      uncountedFolders: Math.max(0, counted.uncountedFolders - listed.uncountedFolders),
    },
    gitignore,
    read: async (name) => {
      const range = ranges.get(name);
      const bytes = range ? await readAt(file, range.size, range.start) : null;
      return bytes ? { bytes } : { stays: 'unreadable' };
    },
    close: () => file.close(),
  };
};
