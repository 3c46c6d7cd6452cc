/** A drawing with one mark of each kind, a crop, and non-default link settings. */
import type { CaptureDraft, Mark, Size } from '../../../src/ipc/protocol/drawing.ts';

const RED = '#e5322d';

export const drawing = ({ width, height }: Size): CaptureDraft => {
  const box = { x: 0, y: 0, width: Math.ceil(width / 4), height: Math.ceil(height / 4) };
  const [from, to] = [
    { x: 1, y: 1 },
    { x: width / 2, y: height / 2 },
  ] as const;
  const marks: readonly Mark[] = [
    { id: 1, kind: 'arrow', colour: RED, from, to, width: 3 },
    { id: 2, kind: 'rectangle', colour: RED, box, width: 3 },
    { id: 3, kind: 'pen', colour: RED, points: [from, to], width: 3 },
    { id: 4, kind: 'highlight', colour: RED, box },
    { id: 5, kind: 'text', colour: RED, at: from, text: 'Look', size: 16, extent: { width: 40, height: 19 } },
    { id: 6, kind: 'step', colour: RED, at: to, radius: 13 },
    { id: 7, kind: 'redaction', colour: RED, box, look: 'mosaic', seed: 7 },
  ];
  return {
    drawing: { picture: { width, height }, crop: box, marks, nextId: 8 },
    style: {
      colours: { ink: RED, highlight: '#ffd21f', redaction: '#16181d' },
      ...{ width: 'thick', textSize: 'large', look: 'solid' },
    },
    share: { ttl: 'day' },
  };
};
