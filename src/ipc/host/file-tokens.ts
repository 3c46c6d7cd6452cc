/**
 * Issues random tokens for files and folders on disk, and returns the file that a token names. A page gets a token only
 * from the preload script, the host's folder dialog or the file receiver, and never names a file by path.
 */

import type { SourceToken } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { NewItem } from '../../engine/engine.ts';
import type { Random } from '../../engine/ports.ts';

export type Offered = Pick<NewItem, 'source' | 'name' | 'job'>;

export interface FileTokens {
  offer(file: Offered): SourceToken;
  /** Consumes all of them; null, and nothing is consumed, when one is unknown or already used. */
  take(tokens: readonly SourceToken[]): readonly Offered[] | null;
  /** Makes tokens valid again that were taken for these files, and for nothing. */
  putBack(tokens: readonly SourceToken[], files: readonly Offered[]): void;
  /** Returns one without consuming it. */
  look(token: SourceToken): Offered | null;
  /** Makes a token invalid that was not used, and removes its file if that is in the spool; the user's own file stays. */
  release(token: SourceToken): Promise<void>;
  /** Removes the spool files whose tokens were not used. */
  close(): Promise<void>;
}

export const createFileTokens = ({ random }: { readonly random: Random }): FileTokens => {
  const offered = new Map<SourceToken, Offered>();
  return {
    offer: (file) => {
      const token = `src-${random.uuid()}` as string as SourceToken;
      offered.set(token, file);
      return token;
    },
    take: (tokens) => {
      const files = tokens.flatMap((token) => offered.get(token) ?? []);
      if (files.length !== tokens.length || new Set(tokens).size !== tokens.length) return null;
      for (const token of tokens) offered.delete(token);
      return files;
    },
    putBack: (tokens, files) => {
      for (const [index, token] of tokens.entries()) {
        const file = files[index];
        if (file) offered.set(token, file);
      }
    },
    look: (token) => offered.get(token) ?? null,
    release: async (token) => {
      const file = offered.get(token);
      offered.delete(token);
      if (file?.source.owner !== 'spool') return;
      // Windows removes no file that a preview is reading: `close` does.
      await rm(file.source.path, { force: true }).catch(() => offered.set(token, file));
    },
    close: async () => {
      const left = [...offered.values()].filter(({ source }) => source.owner === 'spool');
      offered.clear();
      await Promise.all(left.map(({ source }) => rm(source.path, { force: true })));
    },
  };
};
