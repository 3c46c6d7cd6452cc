/** Performance marks of a capture, each with `detail: { id, display }`: from the press until the frozen screen is seen. */
export const CAPTURE_MARKS = {
  /** The press, or the end of the delay (`pressedAt` of the session). */
  start: 'linkshot:capture-start',
  /** The page has heard of the session. */
  heard: 'linkshot:capture-heard',
  /** The frozen pixels of the display are in the page. */
  received: 'linkshot:frame-received',
  /** The first frame with them is painted. */
  painted: 'linkshot:overlay-painted',
} as const;

export interface CaptureMarkDetail {
  /** Of the capture session. */
  readonly id: string;
  /** The display's number. */
  readonly display: number;
}
