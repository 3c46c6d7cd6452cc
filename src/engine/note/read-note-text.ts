/** Reads the text of a note from its file in the spool. */

import { ok, type Result } from '../../api/errors.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';

export const readNoteText = async (path: string, openSource: OpenSourceAt): Promise<Result<string>> => {
  const source = await openSource(path);
  if (!source.ok) return source;
  const bytes = await source.value.read(Buffer.alloc(source.value.size), 0).finally(() => source.value.close());
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
};
