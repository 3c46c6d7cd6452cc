/** Pages of WebKitGTK and Safari, driven by classic WebDriver. */
import { actWhenSteady, clickWhenSteady } from './steady-click.ts';
import { callOf, elementOf, type Size, type Tab, type Target } from './tab.ts';
import { untilFound } from './until-found.ts';
import type { WebDriverSession } from './webdriver.ts';
import { combination, pointer, typing } from './webdriver-input.ts';

/** The key of an element reference, by the specification. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
type ElementReference = Readonly<Record<typeof ELEMENT, string>>;

/** A tab of the session; the session has one window for each. */
interface TabOptions {
  readonly onClosed: () => void;
  /** Enlarges the page by a step, or shows it at 100 %. */
  readonly zoom: (way: 'in' | 'out') => Promise<unknown>;
  /** Absent: the driver prints. */
  readonly printByDialog?: () => Promise<Buffer>;
}

/** Enough for a page of 320 pixels. */
const ZOOMS = 3;
/** A window that is resized answers late, and not its page and its frame together. */
const ATTEMPTS = 4;

export const webDriverTab = (
  session: WebDriverSession,
  handle: string,
  { onClosed, zoom, printByDialog }: TabOptions,
): Tab => {
  const ask = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> => {
    if ((await session.ask('GET', '/window')) !== handle) await session.ask('POST', '/window', { handle });
    return session.ask<T>(method, path, body);
  };
  const evaluateText = async <T>(expression: string): Promise<T> => {
    const script = `const done = arguments[0];
      Promise.resolve().then(() => ${expression}).then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));`;
    const answer = await ask<{ value?: T; error?: string }>('POST', '/execute/async', { script, args: [] });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  };
  const page = {
    evaluate: evaluateText,
    async reference(expression: string) {
      const script = `return ${expression}`;
      const found = await ask<ElementReference | null>('POST', '/execute/sync', { script, args: [] });
      return found?.[ELEMENT] ?? null;
    },
  };
  const perform = async (actions: readonly object[]): Promise<void> => {
    await ask('POST', '/actions', { actions });
  };
  /** The sizes of page and window, once they no longer change. */
  const settledSize = (): Promise<{ inner: Size; outer: Size }> => {
    let before = '';
    return untilFound({ css: 'a size' }, async () => {
      const inner = await evaluateText<Size>('({ width: innerWidth, height: innerHeight })');
      const { width, height } = await ask<Size>('GET', '/window/rect');
      const sizes = { inner, outer: { width, height } };
      const last = before;
      before = JSON.stringify(sizes);
      return before === last ? sizes : null;
    });
  };
  const click = (target: Target): Promise<void> =>
    clickWhenSteady(page, target, (element) => ask('POST', `/element/${element}/click`));

  return {
    open: (url) => ask('POST', '/url', { url }),
    evaluate: (run, given) => evaluateText(callOf(run, given)),
    has: (target) => evaluateText(`${elementOf(target)} !== null`),
    textOf: (target) =>
      untilFound(target, () => evaluateText<string | null>(`${elementOf(target)}?.textContent.trim() ?? null`)),
    valueOf: (target) => untilFound(target, () => evaluateText<string | null>(`${elementOf(target)}?.value ?? null`)),
    click,
    hover: (target) => actWhenSteady(page, target, (element) => perform(pointer({ [ELEMENT]: element }, 'hover'))),
    async fill(target, text) {
      await click(target);
      await perform(combination('Control+a'));
      await perform(typing(text));
    },
    press: (keys) => perform(combination(keys)),
    async chooseFiles(css, paths) {
      const found = await ask<ElementReference>('POST', '/element', { using: 'css selector', value: css });
      await ask('POST', `/element/${found[ELEMENT]}/value`, { text: paths.join('\n') });
    },
    async resize({ width, height }) {
      for (let zooms = 0; zooms <= ZOOMS; zooms++) {
        // The bars of the window keep it wider: an enlarged page has fewer pixels.
        await zoom(zooms === 0 ? 'out' : 'in');
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const { inner, outer } = await settledSize();
          if (Math.abs(inner.width - width) <= 1 && Math.abs(inner.height - height) <= 2) return;
          // The window is higher than its page by its bars.
          const scale = outer.width / inner.width;
          await ask('POST', '/window/rect', {
            width: Math.round(width * scale),
            height: Math.round(outer.height + (height - inner.height) * scale),
          });
        }
      }
      throw new Error(`The page cannot have ${width} × ${height} pixels.`);
    },
    screenshot: async () => Buffer.from(await ask<string>('GET', '/screenshot'), 'base64'),
    print: async () => (printByDialog ? printByDialog() : Buffer.from(await ask<string>('POST', '/print'), 'base64')),
    async close() {
      await ask('POST', '/url', { url: 'about:blank' });
      onClosed();
    },
  };
};
