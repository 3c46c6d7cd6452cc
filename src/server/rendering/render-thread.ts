/**
 * The entry file of the worker thread of `renderer.ts`: renders a note or a file of a folder to HTML, or returns null
 * if the HTML is too long for a page.
 */
import { parentPort } from 'node:worker_threads';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../common/rendering/code-html.ts';
import { highlight } from '../../common/rendering/highlight.ts';
import { renderMarkdown } from '../../common/rendering/markdown.ts';
import { lowerThreadPriority } from '../fairness/lower-thread-priority.ts';
import type { RenderTask } from './renderer.ts';

const HTML_MAX = 4_000_000;

const render = (task: RenderTask): string => {
  switch (task.kind) {
    case 'plain':
      return plainBlock(task.text);
    case 'code': {
      const code = readableCode(task.text);
      const coloured = task.grammar === null ? null : highlight(code, task.grammar);
      return codeBlock(numberedLines(coloured ?? escapeHtml(code), 'links'));
    }
    case 'markdown':
      return renderMarkdown(task);
  }
};

lowerThreadPriority();
parentPort?.postMessage('ready');
parentPort?.on('message', (task: RenderTask) => {
  const html = render(task);
  parentPort?.postMessage(html.length > HTML_MAX ? null : html);
});
