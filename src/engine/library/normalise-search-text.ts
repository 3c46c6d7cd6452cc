/** Normalises texts for the search index and for queries. Pure. */

/** Users write ё and е interchangeably; the tokenizer distinguishes them. */
export const folded = (text: string): string => text.normalize('NFKC').replaceAll('ё', 'е').replaceAll('Ё', 'Е');
