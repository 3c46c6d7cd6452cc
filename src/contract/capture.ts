/** What of the screen is to be captured. All lengths are physical pixels; the origin is the desktop's upper left corner. */
import Type, { type Static } from 'typebox';
import { literals } from './content.ts';

const Pixel = Type.Integer({ minimum: -65_536, maximum: 65_536 });
const Length = Type.Integer({ minimum: 1, maximum: 65_536 });

export const Area = Type.Object({ x: Pixel, y: Pixel, width: Length, height: Length });
export type Area = Static<typeof Area>;

/** One display of the desktop; `number` counts from 1, the primary one first. */
export const Display = Type.Object({ ...Area.properties, number: Type.Integer({ minimum: 1 }), name: Type.String() });
export type Display = Static<typeof Display>;

export const CaptureTarget = Type.Union([
  Type.Object({ mode: Type.Literal('region'), area: Area }),
  Type.Object({ mode: Type.Literal('screen'), number: Type.Integer({ minimum: 1 }) }),
  /** Every display, as one picture. */
  Type.Object({ mode: Type.Literal('all') }),
]);
export type CaptureTarget = Static<typeof CaptureTarget>;

export const CaptureRequest = Type.Object({
  target: CaptureTarget,
  pointer: literals('hide', 'show'),
  delaySeconds: Type.Integer({ minimum: 0, maximum: 60 }),
});
export type CaptureRequest = Static<typeof CaptureRequest>;
