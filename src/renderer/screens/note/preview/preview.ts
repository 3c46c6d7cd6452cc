/**
 * Keeps the rendered preview in sync with the text. The latest text is always shown, and a slow render never blocks
 * typing.
 */

import type { Rendered, Source } from '../../item/preview/rendered.ts';
import { nodesOf } from './preview-html.ts';

/** Only a malicious text takes longer. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 120;

interface PreviewText {
  readonly text: string;
  readonly title: string;
}

interface PreviewDeps {
  readonly into: Element;
  /** `given-up`: rendering took too long and was cancelled. */
  readonly onState: (state: 'shown' | 'given-up') => void;
}

/** The worker that also renders published notes. */
const startWorker = (): Worker =>
  new Worker(new URL('../../item/preview/rendered-worker.ts', import.meta.url), { type: 'module' });

const sourceOf = ({ text, title }: PreviewText): Source => ({
  ...{ kind: 'note', title },
  note: { text, format: 'markdown', language: null, revision: 1 },
});

export const createPreview = ({ into, onState }: PreviewDeps) => {
  let worker: Worker | null = null;
  let next: PreviewText | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;

  const end = (): void => {
    worker?.terminate();
    worker = null;
    isBusy = false;
    clearTimeout(patience);
  };

  const onTimeout = (): void => {
    end();
    onState('given-up');
    work();
  };

  const work = (): void => {
    if (isBusy || next === null) return;
    if (worker === null) {
      worker = startWorker();
      worker.onmessage = ({ data }: MessageEvent<Rendered>) => {
        clearTimeout(patience);
        isBusy = false;
        into.replaceChildren(...nodesOf(data.html));
        onState('shown');
        work();
      };
      worker.onerror = onTimeout;
    }
    isBusy = true;
    patience = setTimeout(onTimeout, PATIENCE_MS);
    worker.postMessage(sourceOf(next));
    next = null;
  };

  return {
    show: (text: PreviewText): void => {
      next = text;
      clearTimeout(pause);
      pause = setTimeout(work, PAUSE_MS);
    },
    close: (): void => {
      clearTimeout(pause);
      end();
    },
  };
};

export type Preview = ReturnType<typeof createPreview>;
