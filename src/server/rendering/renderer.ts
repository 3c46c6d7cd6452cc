/**
 * Renders Markdown and highlighted code to HTML in threads with limits on time and memory, and caches the HTML. A text
 * is shown plain if it exceeds the limits or waits too long. Accounts share the threads fairly
 * (`fairness/fair-pool.ts`).
 */

import { Worker } from 'node:worker_threads';
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { workerFile } from '../../base/node/worker-file.ts';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../common/rendering/code-html.ts';
import type { Grammar } from '../../common/rendering/code-languages.ts';
import type { MarkdownPage } from '../../common/rendering/markdown.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { createFairPool, type Runner } from '../fairness/fair-pool.ts';
import { createUsageLedger } from '../fairness/usage-ledger.ts';
import type { Log } from '../log.ts';

// The tasks of the renderer's threads.

/** A text and its presentation. Code without a grammar has numbered lines but no colours. */
export type RenderTask =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly grammar: Grammar | null }
  | ({ readonly kind: 'markdown' } & MarkdownPage);

/** An LRU cache of HTML, limited by its total number of characters. */
interface HtmlCache {
  get(key: string): string | undefined;
  put(key: string, html: string): void;
}

/** A text of more than a quarter of `maxCharacters` is not cached: it would evict all others. */
export const createHtmlCache = (maxCharacters: number): HtmlCache => {
  // A map iterates in insertion order, so the first key is the least recently used.
  const entries = new Map<string, string>();
  let characters = 0;

  const drop = (key: string): void => {
    characters -= entries.get(key)?.length ?? 0;
    entries.delete(key);
  };

  return {
    get: (key) => {
      const html = entries.get(key);
      if (html === undefined) return undefined;
      entries.delete(key);
      entries.set(key, html);
      return html;
    },
    put: (key, html) => {
      if (html.length > maxCharacters / 4) return;
      drop(key);
      entries.set(key, html);
      characters += html.length;
      for (const oldest of entries.keys()) {
        if (characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
};

// Starts the threads that render one text at a time with limited memory, for the pool of `renderer.ts`.

const THREAD = workerFile(import.meta.url, 'render-thread');
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The HTML, or null when it would be too long for a page. `log` gets the reason when a thread ends by itself. */
const startRenderRunner = async (log: Log): Promise<Runner<RenderTask, string | null>> => {
  const thread = new Worker(THREAD, { resourceLimits: MEMORY, env: {}, execArgv: [] });
  let isAlive = true;
  thread.on('error', (error) =>
    log(`A text could not be rendered and is shown plain: ${error.message}`, { level: 'warn' }),
  );
  thread.once('exit', () => {
    isAlive = false;
  });
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
  });
  // Does not keep the process alive.
  thread.unref();

  return {
    run: (task, { answered }) =>
      new Promise((resolve, reject) => {
        const onHtml = (html: string | null): void => {
          thread.off('exit', end);
          answered(html);
          resolve();
        };
        const end = (): void => {
          thread.off('message', onHtml);
          reject(new Error('The thread has ended over a text.'));
        };
        thread.once('message', onHtml);
        thread.once('exit', end);
        thread.postMessage(task);
      }),
    // Only the whole process is measured.
    usedMs: () => null,
    stop: () => void thread.terminate(),
    isAlive: () => isAlive,
  };
};

/** The owner of the text. `key` permanently identifies the text and its presentation. */
interface RenderedFor {
  readonly accountId: AccountId;
  readonly key: string;
}

export interface Renderer {
  /**
   * The text as safe HTML, cached by its key. Never rejects; waiting for a thread and rendering each have a time limit.
   * What is too complex, or arrives when the queue is full, is shown plain.
   */
  render(of: RenderedFor, task: RenderTask): Promise<string>;
  /** Stops the threads; waiting texts are shown plain. */
  close(): Promise<void>;
}

interface RendererOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly limits: ServerConfig['rendering'];
  readonly fairness: ServerConfig['fairness'];
}

const CACHED_CHARACTERS = 16_000_000;
/** More than a human-written text of a page takes. */
const QUICK_MS = 100;
/** A text takes a few milliseconds: an account is heavy with a fifth of the debt that it may have elsewhere. */
const HEAVY_PART = 0.2;
const IDLE_MS = 20_000;
const SECOND = 1_000;
/** Keys of texts that exceeded the time limit. */
const TOO_HARD_MAX = 10_000;

/** A set of keys that evicts the oldest above its limit. */
const createKeys = (most: number) => {
  const keys = new Set<string>();
  return {
    has: (key: string): boolean => keys.has(key),
    add: (key: string): void => {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > most && oldest !== undefined) keys.delete(oldest);
    },
  };
};

export const createRenderer = ({ log, clock, limits, fairness }: RendererOptions): Renderer => {
  const { seconds, secondsAtFirst, waitingPerAccount, waitingInAll } = limits;
  const cache = createHtmlCache(CACHED_CHARACTERS);
  const pending = new Map<string, Promise<string>>();
  /** Texts whose first attempt was too short; the second is longer and waits for all others. */
  const slow = createKeys(TOO_HARD_MAX);
  const tooHard = createKeys(TOO_HARD_MAX);
  const pool = createFairPool<RenderTask, string | null>({
    places: 2,
    start: () => startRenderRunner(log),
    ledger: createUsageLedger(clock, fairness.cores),
    waiting: { perOwner: waitingPerAccount, inAll: waitingInAll },
    quickMs: QUICK_MS,
    heavyDebtMs: fairness.heavySeconds * SECOND * HEAVY_PART,
    idleMs: IDLE_MS,
  });
  type Tried = { readonly html: string } | 'too-slow' | 'too-hard' | 'busy';

  const attempt = async ({ accountId, key }: RenderedFor, task: RenderTask): Promise<Tried> => {
    const isSecond = slow.has(key);
    const wallMs = (isSecond ? seconds : secondsAtFirst) * SECOND;
    // Not of both together: a wait for a slow start must not end an attempt whose outcome is remembered.
    const waitMs = (secondsAtFirst + seconds) * SECOND;
    const { signal } = new AbortController();
    try {
      const outcome = await pool.run({ owner: accountId, task, wallMs, waitMs, aside: isSecond }, signal);
      switch (outcome.kind) {
        case 'answered':
          return outcome.answer === null ? 'too-hard' : { html: outcome.answer };
        case 'dropped':
          return 'busy';
        case 'broke':
          return 'too-hard';
        case 'too-slow':
          return isSecond ? 'too-hard' : 'too-slow';
        default:
          return unreachable(outcome);
      }
    } catch {
      // No thread can be started.
      return 'busy';
    }
  };

  const renderNew = async (of: RenderedFor, task: RenderTask): Promise<string> => {
    const tried = await attempt(of, task);
    if (tried === 'too-slow') slow.add(of.key);
    if (tried === 'too-hard') tooHard.add(of.key);
    const html = typeof tried === 'string' ? plainly(task) : tried.html;
    if (tried !== 'busy' && tried !== 'too-slow') cache.put(of.key, html);
    return html;
  };

  return {
    render: async (of, task) => {
      const { key } = of;
      if (task.kind === 'plain' || (task.kind === 'code' && task.grammar === null)) return plainly(task);
      const known = cache.get(key) ?? pending.get(key);
      if (known !== undefined) return known;
      // Its HTML may have been evicted since.
      if (tooHard.has(key)) return plainly(task);
      const rendering = renderNew(of, task).finally(() => pending.delete(key));
      pending.set(key, rendering);
      return rendering;
    },
    close: async () => pool.close(),
  };
};

const plainly = (task: RenderTask): string =>
  task.kind === 'code' ? codeBlock(numberedLines(escapeHtml(readableCode(task.text)), 'links')) : plainBlock(task.text);
