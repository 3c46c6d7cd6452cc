/**
 * Zoom of an image: fitted, or relative to its own pixels (1: actual size). Returns the next zoom levels and the zoom
 * that a key selects.
 */

export type Zoom = 'fit' | number;

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8] as const;
/** Zooms closer than this are indistinguishable. */
const SAME = 0.01;

export const closer = (from: number): number => STEPS.find((step) => step > from + SAME) ?? 8;
export const further = (from: number): number => STEPS.findLast((step) => step < from - SAME) ?? 0.1;

/** Zoom action of a key; null: none. */
export const zoomOfKey = (key: string): Zoom | 'closer' | 'further' | null => {
  switch (key) {
    case '+':
    case '=':
      return 'closer';
    case '-':
      return 'further';
    case '0':
      return 'fit';
    case '1':
      return 1;
    default:
      return null;
  }
};
