/** An LRU cache of HTML, limited by its total number of characters. */

export interface HtmlCache {
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
