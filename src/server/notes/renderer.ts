/**
 * Renders texts in a thread of limited time and memory, and remembers the results. Whatever a text does to the
 * highlighter, the server answers on: the thread is ended and the text is shown plain.
 */
import { Worker } from 'node:worker_threads';
import type { Grammar } from '../../contract/rendering/languages.ts';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../contract/rendering/lines.ts';
import type { MarkdownPage } from '../../contract/rendering/markdown.ts';
import { createHtmlCache } from './html-cache.ts';

/** A text and how it is shown. Code without a grammar has numbered lines but no colours. */
export type RenderTask =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly grammar: Grammar | null }
  | ({ readonly kind: 'markdown' } & MarkdownPage);

export interface Renderer {
  /**
   * The text as safe HTML. Never rejects and never waits longer than the time limit: what is too hard, and what comes
   * while too much waits, is shown plain. `key` names the text and its way of showing for good; the result is kept by it.
   */
  render(key: string, task: RenderTask): Promise<string>;
  /** Ends the thread; what still waits is shown plain. */
  close(): Promise<void>;
}

export interface RendererOptions {
  readonly log: (line: string) => void;
  /** Milliseconds from the call to the answer. */
  readonly timeoutMs?: number;
  /** Texts that may wait for the thread. */
  readonly waitingMax?: number;
}

const THREAD = new URL('./render-thread.ts', import.meta.url);
const TIMEOUT_MS = 4_000;
const WAITING_MAX = 16;
const CACHED_CHARACTERS = 16_000_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

interface Job {
  readonly task: RenderTask;
  readonly finish: (outcome: Outcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** `too-hard` is remembered, so that a hostile text costs its time once; `busy` is not the text's fault. */
type Outcome = { readonly html: string } | 'too-hard' | 'busy';

export const createRenderer = (options: RendererOptions): Renderer => {
  const { log, timeoutMs = TIMEOUT_MS, waitingMax = WAITING_MAX } = options;
  const cache = createHtmlCache(CACHED_CHARACTERS);
  const pending = new Map<string, Promise<string>>();
  const waiting: Job[] = [];
  let thread: Worker | null = null;
  let current: Job | null = null;
  let closed = false;

  const startThread = (): Worker => {
    const started = new Worker(THREAD, { resourceLimits: MEMORY, env: {}, execArgv: [] });
    started.on('message', (html: string | null) => {
      // An ended thread may still have sent something: it is no answer to the text in work now.
      if (thread === started) settle(html === null ? 'too-hard' : { html });
    });
    started.on('error', (error) => {
      log(`A text could not be rendered and is shown plain: ${error.message}`);
      if (thread === started) abandonThread();
    });
    // A server that has nothing else to do may end.
    started.unref();
    return started;
  };

  const settle = (outcome: Outcome): void => {
    const job = current;
    current = null;
    if (job !== null) {
      clearTimeout(job.timer);
      job.finish(outcome);
    }
    next();
  };

  /** The text in work is at fault. */
  const abandonThread = (): void => {
    const abandoned = thread;
    thread = null;
    void abandoned?.terminate();
    settle('too-hard');
  };

  const next = (): void => {
    if (current !== null || closed) return;
    current = waiting.shift() ?? null;
    if (current === null) return;
    thread ??= startThread();
    thread.postMessage(current.task);
  };

  const inThread = (task: RenderTask): Promise<Outcome> =>
    new Promise((resolve) => {
      if (closed || waiting.length >= waitingMax) {
        resolve('busy');
        return;
      }
      const giveUp = (): void => {
        if (current === job) {
          abandonThread();
          return;
        }
        waiting.splice(waiting.indexOf(job), 1);
        resolve('busy');
      };
      const job: Job = { task, finish: resolve, timer: setTimeout(giveUp, timeoutMs) };
      waiting.push(job);
      next();
    });

  const renderNew = async (key: string, task: RenderTask): Promise<string> => {
    const outcome = await inThread(task);
    const html = typeof outcome === 'string' ? plainly(task) : outcome.html;
    if (outcome !== 'busy') cache.put(key, html);
    return html;
  };

  return {
    render: async (key, task) => {
      if (task.kind === 'plain' || (task.kind === 'code' && task.grammar === null)) return plainly(task);
      const known = cache.get(key) ?? pending.get(key);
      if (known !== undefined) return known;
      const rendering = renderNew(key, task).finally(() => pending.delete(key));
      pending.set(key, rendering);
      return rendering;
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) {
        clearTimeout(job.timer);
        job.finish('busy');
      }
      const ended = thread;
      thread = null;
      await ended?.terminate();
      settle('busy');
    },
  };
};

const plainly = (task: RenderTask): string =>
  task.kind === 'code' ? codeBlock(numberedLines(escapeHtml(readableCode(task.text)))) : plainBlock(task.text);
