/** Handlers of the fit commands, for videos and images that may not fit. */

import { err, failure } from '../../../api/errors.ts';
import type { fitCommands } from '../../protocol/commands/fit.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const fitHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof fitCommands> => ({
  'fit.preview': ({ token, fit }, signal) => {
    const file = sources.look(token);
    if (!file) return err(failure('COMMAND_INVALID', 'The file is no longer at hand. Add it again.'));
    return engine.previewFit(file.source.path, fit, signal);
  },
  'fit.previewPath': ({ path, fit }, signal) => engine.previewFit(path, fit, signal),
});
