/** Schema of the reply with the media status of several items of the account (API decisions 3). */

import Type, { type Static } from 'typebox';
import { MediaStatus } from './content.ts';
import { ContentId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { Nullable } from './nullable-and-literals.ts';

/** `GET /content/media-status`, in the requested order; ids that are not own items are omitted. */
export const MediaStatuses = Type.Object({
  items: Type.Array(Type.Object({ id: ContentId, mediaStatus: MediaStatus, mediaError: Nullable(Type.String()) }), {
    maxItems: LIMITS.mediaStatusIds,
  }),
});
export type MediaStatuses = Static<typeof MediaStatuses>;
