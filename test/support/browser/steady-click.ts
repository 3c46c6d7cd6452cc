/**
 * A click at an element that may still move: the drivers aim at its middle once, and whatever is there then gets the
 * press. Playwright guards its own clicks in the same way.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { elementOf, type Target } from './tab.ts';
import { untilFound } from './until-found.ts';

/** More than a frame; a tab in the background has no frames to wait for. */
const APART_MS = 40;

/** What the page keeps of a click that is expected. */
interface Guarded {
  /** Ends the guard. Returns what got the press in place of the element; null: nothing did. */
  readonly endGuard?: () => string | null;
}

const PLACE = (element: Element | null): string | null => {
  if (element === null) return null;
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].join();
};

/** Keeps the next press from every other element, and returns this one. */
const GUARD = (element: Element | null): Element | null => {
  const page = window as { endGuard?: () => string | null };
  page.endGuard?.();
  if (element === null) return null;
  let other: string | null = null;
  let isPressed = false;
  const decide = (event: Event): void => {
    const path = event.composedPath();
    const labels = [...((element as HTMLInputElement).labels ?? [])];
    const [hit] = path;
    if (!isPressed && ![element, ...labels].some((wanted) => path.includes(wanted)))
      other = hit instanceof Element ? hit.outerHTML.slice(0, 120) : String(hit);
    isPressed = true;
    if (other === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  for (const type of types) window.addEventListener(type, decide, { capture: true });
  page.endGuard = () => {
    for (const type of types) window.removeEventListener(type, decide, { capture: true });
    delete page.endGuard;
    return other;
  };
  return element;
};

const END = (): string | null => (window as Guarded).endGuard?.() ?? null;

interface Page {
  readonly evaluate: <T>(expression: string) => Promise<T>;
  /** The reference of the element that the expression is for; null: none. */
  readonly reference: (expression: string) => Promise<string | null>;
}

/** Resolves with whether the element is at the same place as a moment ago. */
const isSteady = async ({ evaluate }: Page, target: Target): Promise<boolean> => {
  const place = () => evaluate<string | null>(`(${String(PLACE)})(${elementOf(target)})`);
  const before = await place();
  if (before === null) return false;
  await delay(APART_MS);
  return (await place()) === before;
};

/** Acts once the element is at rest. One that is replaced between its discovery and the action is looked for again. */
export const actWhenSteady = (page: Page, target: Target, act: (element: string) => Promise<unknown>): Promise<void> =>
  untilFound(target, async () => {
    if (!(await isSteady(page, target))) return null;
    const element = await page.reference(elementOf(target));
    if (element === null) return null;
    await act(element);
    return true;
  }).then(() => {});

/** Clicks once the element is at rest, and again if another element got in the way. */
export const clickWhenSteady = (
  page: Page,
  target: Target,
  click: (element: string) => Promise<unknown>,
): Promise<void> =>
  untilFound(target, async () => {
    if (!(await isSteady(page, target))) return null;
    const element = await page.reference(`(${String(GUARD)})(${elementOf(target)})`);
    if (element === null) return null;
    await click(element);
    // A click may replace the page, or open a dialog over it.
    const other = await page.evaluate<string | null>(`(${String(END)})()`).catch(() => null);
    if (other !== null) throw new Error(`The press was for ${other}`);
    return true;
  }).then(() => {});
