/** Web worker that renders one text. */

import { renderSource, type Source } from './rendered.ts';

self.onmessage = ({ data }: MessageEvent<Source>): void => {
  self.postMessage(renderSource(data));
};
