/** Web worker that renders one text. */

import { renderSource, type Source } from './render-text.ts';

self.onmessage = ({ data }: MessageEvent<Source>): void => {
  self.postMessage(renderSource(data));
};
