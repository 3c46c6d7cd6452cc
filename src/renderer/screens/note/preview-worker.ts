/** Renders Markdown beside the page, so that typing never waits for it. A text that takes too long is given up by `preview.ts`. */

import { renderMarkdown } from '../../../contract/rendering/markdown.ts';

self.onmessage = ({ data }: MessageEvent<{ readonly text: string; readonly title: string }>): void => {
  self.postMessage(renderMarkdown({ ...data, place: { kind: 'note' } }));
};
