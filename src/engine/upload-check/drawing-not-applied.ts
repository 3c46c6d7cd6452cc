/** The refusal of a capture that the user has drawn on, where its picture would be used without the drawing. */
import { err, failure } from '../../api/errors.ts';

export const NOT_APPLIED_DETAIL = 'The capture has edits that are not in the image.';
export const NOT_APPLIED = err(failure('DRAWING_NOT_APPLIED', NOT_APPLIED_DETAIL));
