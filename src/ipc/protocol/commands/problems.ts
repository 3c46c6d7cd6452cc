/** What went wrong before the person's eyes, kept until they take it away: over the end of the page, and of the app. */
import Type, { type Static } from 'typebox';
import { Failure } from '../../../api/errors.ts';
import { type Command, None } from './command.ts';

export const Problem = Type.Object({
  id: Type.Integer(),
  failure: Failure,
  /** The last time, in milliseconds since 1970-01-01 UTC. */
  at: Type.Integer({ minimum: 0 }),
  /** What happens again is told once, with how often it happened. */
  times: Type.Integer({ minimum: 1 }),
});
export type Problem = Static<typeof Problem>;

/** Enough to look back on a bad day. */
export const PROBLEMS_MAX = 100;

const Problems = Type.Object({ problems: Type.Array(Problem) });

/** Each list is whole, the newest first. */
export const problemCommands = {
  'problem.list': { input: None, output: Problems, from: 'page' },
  'problem.note': { input: Type.Object({ failure: Failure }), output: Problems, from: 'page' },
  'problem.forget': {
    input: Type.Object({
      ids: Type.Union([Type.Array(Type.Integer(), { maxItems: PROBLEMS_MAX }), Type.Literal('all')]),
    }),
    output: Problems,
    from: 'page',
  },
} as const satisfies Record<string, Command>;
