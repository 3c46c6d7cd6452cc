/** The commands about what went wrong before the person's eyes. */
import type { problemCommands } from '../../contract/app/commands/problem.ts';
import { ok } from '../../contract/errors.ts';
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
