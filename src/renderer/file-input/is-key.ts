/** Whether a key event is a given letter: by its character, or by its physical key on layouts without Latin letters. */
export const isLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
