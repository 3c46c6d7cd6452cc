/** Schema of the public profile of an account (API decisions 3). */

import Type, { type Static } from 'typebox';
import { Nullable } from './nullable-and-literals.ts';

/** What any key holder may see of an account. */
export const Profile = Type.Object({
  id: Type.String(),
  username: Type.String(),
  name: Type.String(),
  bio: Type.String(),
  avatarUrl: Nullable(Type.String()),
  avatarRevision: Type.Integer({ minimum: 0 }),
  createdAt: Type.String({ format: 'date-time' }),
});
export type Profile = Static<typeof Profile>;
