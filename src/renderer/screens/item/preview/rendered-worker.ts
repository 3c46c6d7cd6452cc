/** Renders one text beside the page. */

import { renderSource, type Source } from './rendered.ts';

self.onmessage = ({ data }: MessageEvent<Source>): void => {
  self.postMessage(renderSource(data));
};
