/** Where the keyboard is in a page. */
import type { Tab } from './tab.ts';

export const FROZEN_SCREEN = 'the frozen screen';

/** What gets a key: the frozen screen, or the begin of an element's source. */
export const focusIn = (tab: Tab): Promise<string> =>
  tab.evaluate((frozen) => {
    const { activeElement: element } = document;
    const place = element?.closest('[data-painted]') ? frozen : `${element?.outerHTML.slice(0, 80)}`;
    return document.hasFocus() ? place : `${place}, in a window without the keyboard`;
  }, FROZEN_SCREEN);
