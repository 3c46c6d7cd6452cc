/** Capturing the screen. */
import Type from 'typebox';
import { CaptureRequest, Display } from '../capture.ts';
import { ShareFields } from '../content.ts';
import { ItemId } from '../ids.ts';
import { type Command, None } from './command.ts';

export const captureCommands = {
  /** Takes the picture, and answers once it lies safely in the queue. */
  'capture.take': {
    input: Type.Object({ ...CaptureRequest.properties, share: Type.Optional(ShareFields) }),
    output: Type.Object({ id: ItemId }),
    from: 'page',
  },
  'capture.displays': { input: None, output: Type.Object({ displays: Type.Array(Display) }), from: 'page' },
} as const satisfies Record<string, Command>;
