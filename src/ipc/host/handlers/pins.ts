/** Handlers of the commands for pinned images. Hosts that cannot pin refuse all of them. */
import { err, failure, ok } from '../../../api/errors.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handler-types.ts';

const NO_PINS = err(failure('COMMAND_INVALID', 'Images cannot be pinned here.'));
const CLOSED = err(failure('COMMAND_INVALID', 'This pinned image is closed.'));

export const pinHandlers = ({ pins }: HandlerDeps): HandlersOf<`pin.${'read' | 'change' | 'act' | 'clipboard'}`> => ({
  'pin.read': ({ id }) => {
    if (!pins) return NO_PINS;
    const pin = pins.read(id);
    return pin ? ok(pin) : CLOSED;
  },
  'pin.change': ({ id, change }) => {
    if (!pins) return NO_PINS;
    pins.change(id, change);
    return DONE;
  },
  'pin.act': async ({ id, action }) => {
    if (!pins) return NO_PINS;
    const done = await pins.act(id, action);
    return done.ok ? DONE : done;
  },
  'pin.clipboard': async () => {
    if (!pins) return NO_PINS;
    const added = await pins.addClipboard();
    return added.ok ? DONE : added;
  },
});
