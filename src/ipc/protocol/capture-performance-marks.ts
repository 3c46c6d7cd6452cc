/**
 * Names of the performance marks of a capture, from the hotkey press until the screenshot on which the user selects an
 * area is visible. Each mark has `detail: { id, display }`.
 */
export const CAPTURE_MARKS = {
  /** The hotkey press, or the end of the delay (`pressedAt` of the session). */
  start: 'linkshot:capture-start',
  /** The page has received the session. */
  heard: 'linkshot:capture-heard',
  /** The frozen pixels of the display are in the page. */
  received: 'linkshot:frame-received',
  /** The first frame with them is painted. */
  painted: 'linkshot:overlay-painted',
} as const;

export interface CaptureMarkDetail {
  /** Id of the capture session. */
  readonly id: string;
  /** Number of the display. */
  readonly display: number;
}
