/** Parses HTML with Chromium's own parser, in a page that runs no script and loads nothing. */
import { openBrowser } from '../browser/chromium.ts';

/** One element with its attributes, in document order. */
export interface ParsedElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of the element and its descendants. */
  readonly text: string;
}

export interface HtmlParser {
  /** The elements of each fragment, all in one call to the browser. */
  parse(...fragments: readonly string[]): Promise<ParsedElement[][]>;
  close(): Promise<void>;
}

export const openHtmlParser = async (): Promise<HtmlParser> => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  return {
    parse: (...fragments) =>
      page.evaluate(
        (sources) =>
          sources.map((source) => {
            const { body } = new DOMParser().parseFromString(`<!doctype html><body>${source}`, 'text/html');
            return [...body.querySelectorAll('*')].map((element) => ({
              tag: element.tagName.toLowerCase(),
              attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
              text: element.textContent ?? '',
            }));
          }),
        fragments,
      ),
    close: () => browser.close(),
  };
};
