/** Keeps the HTML that was used last, up to a number of characters in all. */

export interface HtmlCache {
  get(key: string): string | undefined;
  put(key: string, html: string): void;
}

/** A text of more than a quarter of `maxCharacters` is not kept: it would push out all others. */
export const createHtmlCache = (maxCharacters: number): HtmlCache => {
  // A map iterates in the order of insertion, so the first key is the one unused for longest.
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
