/**
 * The shape of one row of the command table: input, output, who may call it, and who runs it. Also two schemas that
 * many commands share.
 */
import Type, { type TSchema } from 'typebox';
import { ItemId } from '../../../api/ids.ts';

export interface Command {
  /** Validated before a handler runs. Unknown fields of an owner are refused, those of a page removed. */
  readonly input: TSchema;
  readonly output: TSchema;
  /** `owner`: only from the user's own processes over the local socket, never from a page. */
  readonly from: 'page' | 'owner';
  /**
   * `host`: a handler of the host runs it, because it needs what only the host has: the files behind tokens, windows and
   * dialogs. Absent: the engine runs it, as `engine.<feature>.<command>(input, signal)` by the two parts of its name.
   */
  readonly by?: 'host';
}

export const None = Type.Object({});
export const Ids = Type.Object({ ids: Type.Array(ItemId, { minItems: 1 }) });
