/** One row of the table of commands: what is asked, what is answered, and who may ask. */
import Type, { type TSchema } from 'typebox';
import { ItemId } from '../../../api/ids.ts';

export interface Command {
  /** Checked, and cleaned of what it does not name, before anything acts on it. */
  readonly input: TSchema;
  readonly output: TSchema;
  /** `owner`: only from the person's own processes over the local socket, never from a page. */
  readonly from: 'page' | 'owner';
}

export const None = Type.Object({});
export const Ids = Type.Object({ ids: Type.Array(ItemId, { minItems: 1 }) });
