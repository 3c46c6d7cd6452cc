/**
 * Compiles one pattern of git (wildmatch) to a function that matches paths. It follows all possible positions of the
 * pattern at once, so the work is at most the length of the pattern times that of the text, however many stars it has.
 * The caller limits the total work.
 */

/** Distinct pattern positions, in the order in which they were entered. */
interface Positions {
  readonly at: Int32Array;
  count: number;
}

/** The state that the matches of one decision share. */
export interface Work {
  /** Remaining steps; a match that needs more returns false and leaves this below zero. */
  left: number;
  /** The round in which each pattern position was last entered, and the current round. */
  entered: Float64Array;
  round: number;
  /** Positions before and after the current byte. */
  current: Positions;
  next: Positions;
}

const buffersFor = (positions: number): Pick<Work, 'entered' | 'current' | 'next'> => ({
  entered: new Float64Array(positions),
  current: { at: new Int32Array(positions), count: 0 },
  next: { at: new Int32Array(positions), count: 0 },
});

export const createWork = (steps: number): Work => ({ left: steps, round: 0, ...buffersFor(256) });

const SLASH = 47;

/** Bytes from `from` to `to`, both inclusive. */
type Range = readonly [from: number, to: number];

type Token =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly Range[] }
  /** `*`: any bytes except a slash. */
  | { readonly kind: 'star' }
  /** A double star that fills its segment: any bytes. */
  | { readonly kind: 'globstar' }
  /** Consumes nothing: here the globstar and the following slash may be skipped, to match zero folders. */
  | { readonly kind: 'optional' };

// Thousands of patterns share these.
const ANY: Token = { kind: 'any' };
const STAR: Token = { kind: 'star' };
const GLOBSTAR: Token = { kind: 'globstar' };
const OPTIONAL: Token = { kind: 'optional' };
const BYTES: readonly Token[] = Array.from({ length: 256 }, (_, byte) => ({ kind: 'byte', byte }));

const range = (bounds: string): Range => [bounds.charCodeAt(0), bounds.charCodeAt(bounds.length - 1)];

/** git's own ASCII classes, independent of the locale. */
const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  alnum: ['09', 'AZ', 'az'].map(range),
  alpha: ['AZ', 'az'].map(range),
  blank: [' ', '\t'].map(range),
  cntrl: ['\x00\x1f', '\x7f'].map(range),
  digit: [range('09')],
  graph: [range('!~')],
  lower: [range('az')],
  print: [range(' ~')],
  punct: ['!/', ':@', '[`', '{~'].map(range),
  space: [' ', '\t', '\n', '\r'].map(range),
  upper: [range('AZ')],
  xdigit: ['09', 'AF', 'af'].map(range),
};

interface Bracket {
  readonly token: Token;
  /** Position after the closing bracket. */
  readonly next: number;
}

/** Whether letters match case-insensitively. Folded patterns are compared to lower-case text. */
export type Letters = 'exact' | 'folded';

/** The lower-case letters of a range's capitals, as git computes them; git omits them for a single member. */
const folded = ([from, to]: Range): Range => [Math.max(from, 65) + 32, Math.min(to, 90) + 32];

/** Parses a bracket expression; null when it is unclosed or names an unknown class: such a pattern matches nothing. */
const readBracket = (pattern: string, start: number, letters: Letters): Bracket | null => {
  const ranges: Range[] = [];
  const add = (members: readonly Range[]) => {
    ranges.push(...members, ...(letters === 'folded' ? members.map(folded) : []));
  };
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at += 1;
  /** The member that a `-` would start a range from. */
  let previous: number | null = null;
  // The first member is always literal, so `[]]` contains a bracket.
  for (let first = true; first || pattern[at] !== ']'; first = false, at += 1) {
    if (at >= pattern.length) return null;
    const char = pattern[at];
    const next = pattern[at + 1];
    if (char === '-' && previous !== null && next !== undefined && next !== ']') {
      at += next === '\\' ? 2 : 1;
      if (at >= pattern.length) return null;
      add([[previous, pattern.charCodeAt(at)]]);
      previous = null;
      continue;
    }
    if (char === '[' && next === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return null;
      if (close > at + 2 && pattern[close - 1] === ':') {
        const name = pattern.slice(at + 2, close - 1);
        const members = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
        if (!members) return null;
        if (name === 'upper') add(members);
        else ranges.push(...members);
        previous = null;
        at = close;
        continue;
      }
    }
    if (char === '\\') at += 1;
    if (at >= pattern.length) return null;
    previous = pattern.charCodeAt(at);
    ranges.push([previous, previous]);
  }
  return { token: { kind: 'set', negated, ranges }, next: at + 1 };
};

/** The tokens of a pattern, or null when it can match nothing. */
const tokenize = (pattern: string, letters: Letters): readonly Token[] | null => {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at];
    if (char === '*') {
      let end = at;
      while (pattern[end] === '*') end += 1;
      const fills =
        end - at > 1 &&
        (at === 0 || pattern[at - 1] === '/') &&
        (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end));
      if (fills && pattern[end] === '/') tokens.push(OPTIONAL);
      tokens.push(fills ? GLOBSTAR : STAR);
      at = end;
    } else if (char === '?') {
      tokens.push(ANY);
      at += 1;
    } else if (char === '[') {
      const bracket = readBracket(pattern, at, letters);
      if (!bracket) return null;
      tokens.push(bracket.token);
      at = bracket.next;
    } else {
      if (char === '\\') at += 1;
      if (at >= pattern.length) return null;
      const byte = pattern.charCodeAt(at);
      const isCapital = byte >= 65 && byte <= 90;
      tokens.push(BYTES[letters === 'folded' && isCapital ? byte + 32 : byte] as Token);
      at += 1;
    }
  }
  return tokens;
};

const accepts = (token: Token, byte: number): boolean => {
  switch (token.kind) {
    case 'byte':
      return byte === token.byte;
    case 'set':
      return byte !== SLASH && token.ranges.some(([from, to]) => byte >= from && byte <= to) !== token.negated;
    case 'any':
    case 'star':
      return byte !== SLASH;
    case 'globstar':
      return true;
    case 'optional':
      return false;
  }
};

const repeats = (token: Token): boolean => token.kind === 'star' || token.kind === 'globstar';

/** Compiles a byte-string pattern; the matcher returns whether the text from `start` matches in full. */
export const compileGlob = (
  pattern: string,
  letters: Letters,
): ((text: string, start: number, work: Work) => boolean) => {
  const tokens = tokenize(pattern, letters);
  if (!tokens) return () => false;
  const end = tokens.length;

  const enter = (reached: Positions, position: number, work: Work) => {
    if (work.entered[position] === work.round) return;
    work.entered[position] = work.round;
    reached.at[reached.count] = position;
    reached.count += 1;
  };
  /** Positions reachable without consuming a byte. */
  const widen = (reached: Positions, work: Work) => {
    for (let index = 0; index < reached.count; index += 1) {
      const position = reached.at[index] as number;
      const token = tokens[position];
      if (!token) continue;
      if (repeats(token) || token.kind === 'optional') enter(reached, position + 1, work);
      if (token.kind === 'optional') enter(reached, position + 3, work);
    }
  };

  return (text, start, work) => {
    if (work.entered.length <= end) Object.assign(work, buffersFor(end * 2));
    let [current, next] = [work.current, work.next];
    const clear = (positions: Positions) => {
      positions.count = 0;
      work.round += 1;
    };
    clear(current);
    enter(current, 0, work);
    widen(current, work);
    for (let at = start; at < text.length; at += 1) {
      const byte = text.charCodeAt(at);
      clear(next);
      for (let index = 0; index < current.count; index += 1) {
        const position = current.at[index] as number;
        const token = tokens[position];
        work.left -= token?.kind === 'set' ? token.ranges.length : 1;
        if (work.left < 0) return false;
        if (token && accepts(token, byte)) enter(next, repeats(token) ? position : position + 1, work);
      }
      if (next.count === 0) return false;
      widen(next, work);
      [current, next] = [next, current];
    }
    // The last pattern position was entered in the last round.
    return work.entered[end] === work.round;
  };
};
