/**
 * Schemas of pinned images: images that stay on top of all windows until the user closes them. They are in the memory
 * of the app and nowhere else.
 */
import Type, { type Static } from 'typebox';

export const PinId = Type.String({ pattern: '^[0-9a-f-]{36}$' });
export type PinId = Static<typeof PinId>;

/** Shown pixels of the screen per pixel of the image. */
export const ZOOM = { least: 0.1, most: 8 } as const;
export const OPACITY = { least: 0.1, most: 1 } as const;

const Zoom = Type.Number({ minimum: ZOOM.least, maximum: ZOOM.most });
const Opacity = Type.Number({ minimum: OPACITY.least, maximum: OPACITY.most });

/** `width` and `height` in pixels of the image. */
export const PinnedImage = Type.Object({
  id: PinId,
  name: Type.String(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  zoom: Zoom,
  opacity: Opacity,
});
export type PinnedImage = Static<typeof PinnedImage>;

// A page cannot know how far a pointer was dragged out of all displays.
const Distance = Type.Number({ minimum: -99_999, maximum: 99_999 });

/** `x` and `y` in logical pixels: of the point of the window that stays where it is, and of a movement. */
export const PinChange = Type.Union([
  Type.Object({ kind: Type.Literal('zoom'), zoom: Zoom, x: Distance, y: Distance }),
  Type.Object({ kind: Type.Literal('opacity'), opacity: Opacity }),
  Type.Object({ kind: Type.Literal('move'), x: Distance, y: Distance }),
]);
export type PinChange = Static<typeof PinChange>;

/**
 * `share`: publish a copy. `letThrough`: clicks go to the window below it, until the menu in the tray ends that. `menu`: the
 * menu with all actions, at the pointer.
 */
export const PIN_ACTIONS = ['copy', 'share', 'letThrough', 'close', 'menu'] as const;
