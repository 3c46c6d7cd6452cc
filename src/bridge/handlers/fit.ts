/** The commands about videos that may not fit. */
import type { fitCommands } from '../../contract/commands/fit.ts';
import { err, failure } from '../../contract/errors.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const fitHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof fitCommands> => ({
  'fit.preview': ({ token, fit }, signal) => {
    const video = sources.look(token);
    if (!video) return err(failure('COMMAND_INVALID', 'The video is no longer at hand. Add it again.'));
    return engine.previewFit(video.source.path, fit, signal);
  },
  'fit.previewPath': ({ path, fit }, signal) => engine.previewFit(path, fit, signal),
});
