/** Describes a shape as rows of pixels, as X servers take it. Pure. */
import type { Area } from '../../../ipc/protocol/capture.ts';

/** The pixels inside, one pixel high each, sorted by rows. */
export const pixelRows = (
  width: number,
  height: number,
  isInside: (x: number, y: number) => boolean,
): readonly Area[] =>
  Array.from({ length: height }, (_, y) => {
    const runs: Area[] = [];
    for (let x = 0, from = -1; x <= width; x++) {
      const inside = x < width && isInside(x, y);
      if (inside && from < 0) from = x;
      if (inside || from < 0) continue;
      runs.push({ x: from, y, width: x - from, height: 1 });
      from = -1;
    }
    return runs;
  }).flat();
