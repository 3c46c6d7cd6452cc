/**
 * Renders texts in threads with limits on time and memory, and caches the results. A text that overloads the
 * highlighter is shown plain, and its thread is stopped, so the server stays responsive. No account delays the texts of
 * others (`fairness/fair-pool.ts`).
 */
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { codeBlock, escapeHtml, numberedLines, plainBlock, readableCode } from '../../common/rendering/lines.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { createPool } from '../fairness/fair-pool.ts';
import { createLedger } from '../fairness/usage-ledger.ts';
import { createHtmlCache } from './html-cache.ts';
import { startRenderRunner } from './render-runner.ts';
import type { RenderTask } from './render-task.ts';

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

export interface RendererOptions {
  readonly log: (line: string) => void;
  readonly clock: Clock;
  readonly limits: ServerConfig['rendering'];
}

const CACHED_CHARACTERS = 16_000_000;
/** More than a human-written text of a page takes. */
const QUICK_MS = 100;
const HEAVY_DEBT_MS = 200;
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

export const createRenderer = ({ log, clock, limits }: RendererOptions): Renderer => {
  const { seconds, secondsAtFirst, waitingPerAccount, waitingInAll } = limits;
  const cache = createHtmlCache(CACHED_CHARACTERS);
  const pending = new Map<string, Promise<string>>();
  /** Texts whose first attempt was too short; the second is longer and waits for all others. */
  const slow = createKeys(TOO_HARD_MAX);
  const tooHard = createKeys(TOO_HARD_MAX);
  const pool = createPool<RenderTask, string | null>({
    places: 2,
    start: () => startRenderRunner(log),
    ledger: createLedger(clock),
    waiting: { perOwner: waitingPerAccount, inAll: waitingInAll },
    quickMs: QUICK_MS,
    heavyDebtMs: HEAVY_DEBT_MS,
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
  task.kind === 'code' ? codeBlock(numberedLines(escapeHtml(readableCode(task.text)))) : plainBlock(task.text);
