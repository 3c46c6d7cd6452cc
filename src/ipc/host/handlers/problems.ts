/** Handlers of the error history commands. */

import { ok } from '../../../api/errors.ts';
import type { problemCommands } from '../../protocol/commands/problems.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const problemHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof problemCommands> => {
  const list = () => ok({ problems: [...engine.problems()] });
  return {
    'problem.list': async () => list(),
    'problem.note': async ({ failure }) => {
      engine.noteProblem(failure);
      return list();
    },
    'problem.forget': async ({ ids }) => {
      engine.forgetProblems(ids);
      return list();
    },
  };
};
