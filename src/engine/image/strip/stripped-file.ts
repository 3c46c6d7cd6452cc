/**
 * The result of stripping metadata from a file: a list of ranges of its bytes, a few of them replaced. `createPieces`
 * builds this list; bytes are neither copied nor re-encoded.
 */

export interface Stripped {
  /** The remaining bytes, in order. */
  readonly pieces: readonly Buffer[];
  /** False: there was nothing to strip, and the pieces are the unchanged file. */
  readonly changed: boolean;
}

/** Collects the pieces of a file; adjacent ones are merged. */
export const createPieces = (file: Buffer) => {
  const pieces: Buffer[] = [];
  let from = 0;
  let to = 0;
  let changed = false;
  const flush = () => {
    if (to > from) pieces.push(file.subarray(from, to));
  };
  return {
    keep(start: number, end: number): void {
      if (start !== to) {
        flush();
        from = start;
      }
      to = end;
    },
    /** Replaces `start` to `end` with `bytes`, which may be identical. */
    replace(start: number, end: number, bytes: Buffer): void {
      if (file.subarray(start, end).equals(bytes)) {
        this.keep(start, end);
        return;
      }
      flush();
      pieces.push(bytes);
      from = end;
      to = end;
      changed = true;
    },
    done(): Stripped {
      flush();
      const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
      return { pieces, changed: changed || size !== file.length };
    },
  };
};
