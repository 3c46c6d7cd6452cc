/**
 * Commands of the error history, and the schema of its entries: errors that were shown to the user. The newest 100 are
 * kept until they are dismissed, also across restarts of page and app.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../../api/errors.ts';
import { type Command, None } from './command.ts';

export const ErrorHistoryEntry = Type.Object({
  id: Type.Integer(),
  failure: Failure,
  /** The last occurrence, in milliseconds since 1970-01-01 UTC. */
  at: Type.Integer({ minimum: 0 }),
  /** Repeated errors are stored once, with a counter. */
  times: Type.Integer({ minimum: 1 }),
});
export type ErrorHistoryEntry = Static<typeof ErrorHistoryEntry>;

/** Enough to review a bad day. */
export const PROBLEMS_MAX = 100;

const Problems = Type.Object({ problems: Type.Array(ErrorHistoryEntry) });

/** Each list is complete, newest first. */
export const errorHistoryCommands = {
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
