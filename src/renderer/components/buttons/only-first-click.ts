/**
 * Passes on only the first click of a double click, for buttons that publish: as `onClickCapture` of what is around
 * them. The second would publish again, or confirm what the first has asked.
 */
import type { MouseEvent } from 'react';

export const onlyFirstClick = (event: MouseEvent): void => {
  if (event.detail > 1) event.stopPropagation();
};
