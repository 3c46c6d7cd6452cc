/** Formats sizes, times and names for the terminal. */

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Binary units, as the service counts. */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[step]}`;
};

export const formatDuration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h ${Math.ceil((seconds % 3_600) / 60)} min`;
};

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** An instant in local time, to the minute; seconds are noise in lists. */
export const formatTime = (at: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const ESCAPE = String.fromCharCode(27);
/** A sequence of `style.ts`, or a character that must not reach a terminal. */
const OBEYED = new RegExp(`(${ESCAPE}\\[\\d{1,2}m)|[^\\P{Cc}\\n\\t]|\\p{Bidi_Control}`, 'gu');

/** A line or page made safe for a terminal: no control characters but line ends, tabs and, where wanted, colours. */
export const printablePage = (text: string, colours: 'with colours' | 'without colours'): string =>
  text.replace(OBEYED, (_, style: string | undefined) =>
    style === undefined ? '?' : colours === 'with colours' ? style : '',
  );

/** JSON made safe for terminals: JSON.stringify escapes only the controls below U+0020. */
export const printableJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Control characters of a name must not reach a terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}|\p{Bidi_Control}/gu, '?');
