/** The text of whatever was thrown: for a sentence, or for the log. */

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** With the calls that led to it. The stack of Firefox and WebKit has the calls only, so the message goes before it. */
export const stackOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const { stack = '', message } = thrown;
  return stack !== '' && stack.includes(message) ? stack : `${String(thrown)}\n${stack}`.trimEnd();
};
