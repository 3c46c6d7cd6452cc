/** Entry file of the web worker that renders a note or code file to HTML (`render-text.ts`). */

import { renderSource, type Source } from './render-text.ts';

self.onmessage = ({ data }: MessageEvent<Source>): void => {
  self.postMessage(renderSource(data));
};
