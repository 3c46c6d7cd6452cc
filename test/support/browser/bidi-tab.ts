/** Pages of Firefox, driven by WebDriver BiDi. */
import type { BidiSession } from './bidi.ts';
import { actWhenSteady, clickWhenSteady } from './steady-click.ts';
import { callOf, elementOf, type Tab, type Target } from './tab.ts';
import { untilFound } from './until-found.ts';
import { combination, pointer, typing } from './webdriver-input.ts';

interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly type: string; readonly value?: string; readonly sharedId?: string };
  readonly exceptionDetails?: { readonly text: string };
}

/** A4, in centimetres. */
const PAPER = { width: 21, height: 29.7 };

export const openBidiTab = async (session: BidiSession): Promise<Tab> => {
  const { context } = await session.send<{ context: string }>('browsingContext.create', { type: 'tab' });

  const evaluated = async (expression: string): Promise<NonNullable<Evaluated['result']>> => {
    const { type, result, exceptionDetails } = await session.send<Evaluated>('script.evaluate', {
      ...{ expression, target: { context }, awaitPromise: true, userActivation: false },
    });
    if (type === 'exception' || result === undefined) throw new Error(exceptionDetails?.text);
    return result;
  };
  const evaluateText = async <T>(expression: string): Promise<T> => {
    const { value } = await evaluated(`Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`);
    return JSON.parse(value ?? 'null') as T;
  };
  const perform = async (actions: readonly object[]): Promise<void> => {
    await session.send('input.performActions', { context, actions });
  };
  const page = {
    evaluate: evaluateText,
    reference: async (expression: string) => (await evaluated(expression)).sharedId ?? null,
  };
  const point = (act: 'hover' | 'click') => (sharedId: string) =>
    perform(pointer({ type: 'element', element: { sharedId } }, act));
  const click = (target: Target) => clickWhenSteady(page, target, point('click'));

  return {
    open: async (url) => void (await session.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: (run, given) => evaluateText(callOf(run, given)),
    has: (target) => evaluateText(`${elementOf(target)} !== null`),
    textOf: (target) =>
      untilFound(target, () => evaluateText<string | null>(`${elementOf(target)}?.textContent.trim()`)),
    valueOf: (target) => untilFound(target, () => evaluateText<string | null>(`${elementOf(target)}?.value`)),
    click,
    hover: (target) => actWhenSteady(page, target, point('hover')),
    async fill(target, text) {
      await click(target);
      await perform(combination('Control+a'));
      await perform(typing(text));
    },
    press: (keys) => perform(combination(keys)),
    async chooseFiles(css, files) {
      const { sharedId } = await evaluated(`document.querySelector(${JSON.stringify(css)})`);
      await session.send('input.setFiles', { context, element: { sharedId }, files });
    },
    resize: async (viewport) =>
      void (await session.send('browsingContext.setViewport', { context, viewport, devicePixelRatio: null })),
    async screenshot() {
      const { data } = await session.send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    async print() {
      const { data } = await session.send<{ data: string }>('browsingContext.print', { context, page: PAPER });
      return Buffer.from(data, 'base64');
    },
    close: async () => void (await session.send('browsingContext.close', { context })),
  };
};
