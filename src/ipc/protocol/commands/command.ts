/** The shape of one row of the command table: input, output, and who may call it. */
import Type, { type TSchema } from 'typebox';
import { ItemId } from '../../../api/ids.ts';

export interface Command {
  /** Validated, and stripped of unknown fields, before a handler runs. */
  readonly input: TSchema;
  readonly output: TSchema;
  /** `owner`: only from the user's own processes over the local socket, never from a page. */
  readonly from: 'page' | 'owner';
}

export const None = Type.Object({});
export const Ids = Type.Object({ ids: Type.Array(ItemId, { minItems: 1 }) });
