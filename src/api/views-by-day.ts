/** Schema of the views of an item per day (API decisions 3). */

import Type, { type Static } from 'typebox';
import { LIMITS } from './limits.ts';

/** `GET /content/{id}/views`: every day in UTC up to today, the oldest first. */
export const ViewsByDay = Type.Object({
  days: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), views: Type.Integer({ minimum: 0 }) }), {
    minItems: 1,
    maxItems: LIMITS.viewsByDayMax,
  }),
});
export type ViewsByDay = Static<typeof ViewsByDay>;
