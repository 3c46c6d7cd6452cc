/** What stripping a file leaves: its own bytes in pieces, a few of them replaced. Nothing is copied, nothing re-encoded. */

export interface Stripped {
  /** What remains, in order. */
  readonly pieces: readonly Buffer[];
  /** False: there was nothing to take out, and the pieces are the file as it is. */
  readonly changed: boolean;
}

/** Gathers the pieces of a file; what lies side by side becomes one piece. */
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
    /** Puts `bytes` in place of `start` to `end`, which may be the very same bytes. */
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
