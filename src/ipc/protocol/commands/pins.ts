/**
 * Commands for pinned images, in hosts with `capabilities.pins`. Other hosts answer all of these commands with
 * COMMAND_INVALID.
 */
import Type from 'typebox';
import { literals } from '../../../api/nullable-and-literals.ts';
import { PIN_ACTIONS, PinChange, PinId, PinnedImage } from '../pinned-image.ts';
import { type Command, None } from './command.ts';

const OfPin = Type.Object({ id: PinId });

export const pinCommands = {
  /** Errors: COMMAND_INVALID where it was closed. */
  'pin.read': { input: OfPin, output: PinnedImage, from: 'page', by: 'host' },
  /** Does nothing where it was closed. Every change is reported by the `pin` event. */
  'pin.change': {
    input: Type.Object({ ...OfPin.properties, change: PinChange }),
    output: None,
    from: 'page',
    by: 'host',
  },
  /** Errors: those of the clipboard and of `queue.add`. */
  'pin.act': {
    input: Type.Object({ ...OfPin.properties, action: literals(...PIN_ACTIONS) }),
    output: None,
    from: 'page',
    by: 'host',
  },
  /** Pins the image on the clipboard. Errors: CLIPBOARD_NO_IMAGE, APP_FAILED for one that cannot be decoded, those of the clipboard. */
  'pin.clipboard': { input: None, output: None, from: 'page', by: 'host' },
} as const satisfies Record<string, Command>;
