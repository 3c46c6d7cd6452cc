/**
 * Streams a `multipart/form-data` body with one file and the fields of an item: passes the bytes to a sink, parses the
 * fields and refuses unknown, repeated or malformed ones, and aborts a stalled body (API document, "POST /folders",
 * form fields). The limits of title, tags and password are checked on publication; here only the length of the
 * `tags` field as a whole, and 16 KiB for any field.
 */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type ShareFields, TTLS, VISIBILITIES } from '../../api/content.ts';
import { LIMITS } from '../../api/limits.ts';
import { TOO_SLOW } from '../http/in-flight-requests.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import { createFormPartCounter } from './form-part-counter.ts';

/** Gets the bytes of the file in order; an exception refuses the request. */
export type Sink = (chunk: Buffer) => Promise<void>;

export interface SingleRequestForm {
  /** The client's name for it. */
  readonly filename: string;
  readonly fields: ShareFields;
}

/** Fits any field, and limits the memory; a password of 128 characters needs 512 bytes. */
const FIELD_BYTES = 16 * 1024;
const PARTS_MAX = 20;
const OPTIONS = {
  throwFileSizeLimit: false,
  // The parser would decode fields, and by other charsets than their parts name.
  isPartAFile: () => true,
  limits: { parts: PARTS_MAX, fileSize: Number.POSITIVE_INFINITY },
} as const;

const oneOf = <const T extends readonly string[]>(name: string, values: T, value: string): T[number] => {
  if (values.includes(value)) return value;
  throw invalidInput({ path: `/${name}`, message: `must be one of ${values.join(', ')}` });
};

const readTags = (text: string): string[] => {
  const wrong = invalidInput({ path: '/tags', message: 'must be a JSON-encoded array of strings' });
  if ([...text].length > LIMITS.folderTagsFieldCharacters) {
    throw invalidInput({ path: '/tags', message: `must have at most ${LIMITS.folderTagsFieldCharacters} characters` });
  }
  let tags: unknown;
  try {
    tags = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) throw wrong;
  return tags;
};

/** Parses the text of each field. */
const READ: { readonly [K in keyof ShareFields]-?: (text: string) => Exclude<ShareFields[K], undefined> } = {
  title: (text) => text,
  tags: readTags,
  visibility: (text) => oneOf('visibility', VISIBILITIES, text),
  ttl: (text) => oneOf('ttl', TTLS, text),
  password: (text) => text,
  oneTime: (text) => oneOf('oneTime', ['true', 'false'], text) === 'true',
};

const isField = (name: string): name is keyof ShareFields => Object.hasOwn(READ, name);

/** A part may lack a name, despite the parser's types. */
const nameOf = (part: { readonly fieldname: string | undefined }): string => (part.fieldname ?? '').slice(0, 64);

/** Browsers, curl and the app escape quotation marks and line breaks in a file name, and nothing else. */
const filenameOf = (escaped: string): string => escaped.replaceAll('%22', '"').replace(/%0[AD]/g, '');

/** As the parser decides by default. */
const isFile = ({ filename, mimetype }: Partial<MultipartFile>): boolean =>
  filename !== undefined || mimetype === 'application/octet-stream';

/** The others encode the value, and the parser does not decode it (RFC 7578, 4.7: senders should not use them). */
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary'];
const JSON_TYPE = 'application/json';

/** Many clients label UTF-8 as US-ASCII, which browsers would read as windows-1252. */
const UTF8 = /^(?:utf-?8|(?:us-)?ascii|ansi_x3\.4-1968)$/i;
/** What windows-1252 has where Latin-1 has controls. Several versions of Node 24 decode both as Latin-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
/** How a text in UTF-16 begins that is read in the wrong byte order. */
const SWAPPED_MARK = '\ufffe';

/** Null: the bytes are no text in `charset`, or it is not one of those that are read. */
const decode = (bytes: Buffer, charset: string, isJson: boolean): string | null => {
  const isUtf8 = UTF8.test(charset);
  try {
    const decoder = new TextDecoder(isUtf8 ? 'utf-8' : charset, { fatal: true, ignoreBOM: isUtf8 && !isJson });
    if (decoder.encoding === 'windows-1252') {
      const control = /[\x80-\x9f]/g;
      return bytes.toString('latin1').replace(control, (byte) => WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80));
    }
    const text = decoder.decode(bytes);
    if (decoder.encoding.startsWith('utf-16')) return text.startsWith(SWAPPED_MARK) ? null : text;
    // Text in ASCII is the same in most others.
    return isUtf8 || text === bytes.toString() ? text : null;
  } catch {
    return null;
  }
};

/** The text of a part labelled as JSON. To write another value again could change what was sent. */
const plainTextOf = (name: keyof ShareFields, json: string): string => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalidInput({ path: `/${name}`, message: 'must be JSON, as the type of its part says' });
  }
  if (typeof value === 'string') return value;
  if (name === 'tags' ? Array.isArray(value) : name === 'oneTime' && typeof value === 'boolean')
    return JSON.stringify(value);
  throw invalidInput({ path: `/${name}`, message: 'must be text; leave out the type application/json of its part' });
};

/** Fields whose values are compared with known words. */
const WORDS: ReadonlySet<keyof ShareFields> = new Set(['visibility', 'oneTime', 'ttl']);

interface FieldPart {
  readonly bytes: Buffer;
  readonly charset: string | null;
  readonly mimetype: string;
  readonly encoding: string;
}

/** Refuses what would be another password or title than was sent. */
const textOf = (name: keyof ShareFields, { bytes, charset, mimetype, encoding }: FieldPart): string => {
  const isJson = mimetype.startsWith(JSON_TYPE);
  // A word that is known is the same in every charset.
  const text = decode(bytes, charset ?? 'utf-8', isJson) ?? (WORDS.has(name) ? bytes.toString() : null);
  if (text === null) throw invalidInput({ path: `/${name}`, message: 'must be text in UTF-8' });
  if (!PLAIN_ENCODINGS.includes(encoding.trim()))
    throw invalidInput({ path: `/${name}`, message: 'must be plain text; leave out Content-Transfer-Encoding' });
  return isJson ? plainTextOf(name, text) : text;
};

/** The name of a field that the item does not have yet. */
const fieldOf = (fields: ShareFields, part: MultipartFile): keyof ShareFields => {
  const name = nameOf(part);
  if (name === 'file') throw invalidInput({ path: '/file', message: 'must be a file with a file name' });
  if (!isField(name)) throw invalidInput({ path: `/${name}`, message: 'is not a known field' });
  if (Object.hasOwn(fields, name)) throw invalidInput({ path: `/${name}`, message: 'is given twice' });
  return name;
};

/**
 * Waits for the client at most `stallMs`, and not once it has disconnected or is too slow; an abandoned promise may
 * still settle.
 */
const createPatience = ({ raw }: FastifyRequest, stallMs: number) => {
  const stalled = () =>
    new ProblemError('UPLOAD_STALLED', 'The body stopped arriving; send the request again.', {
      connection: 'close-after-answer',
    });
  let slow: ProblemError | null = null;
  let refuse: ((problem: ProblemError) => void) | null = null;
  raw.once(TOO_SLOW, (problem: ProblemError) => {
    slow = problem;
    refuse?.(problem);
  });
  return async <T>(next: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    refuse = reject;
    if (slow !== null) reject(slow);
    const timer = setTimeout(() => reject(stalled()), stallMs);
    // The parser does not notice a dropped connection, and the client's retry would conflict with this request.
    const leave = () => !raw.complete && reject(stalled());
    raw.once('close', leave);
    if (raw.destroyed) leave();
    next.catch(() => {});
    try {
      return await Promise.race([next, promise]);
    } finally {
      clearTimeout(timer);
      raw.off('close', leave);
    }
  };
};

/** The parser's own errors; those of the sink or a check pass unchanged. */
const notAForm = (): ProblemError =>
  invalidInput({ path: '', message: 'must be a complete multipart/form-data body of few parts' });

/** The parser skips it, and its field would be missing: a password, for instance. */
const partUnread = (): ProblemError =>
  invalidInput({ path: '', message: 'has a part whose head is no Content-Disposition: form-data; name="..."' });

/** Reads the whole body. Throws INVALID_INPUT, UPLOAD_STALLED and what `sink` throws; then the rest is unread. */
export const readSingleRequestForm = async (
  request: FastifyRequest,
  { stallMs, sink }: { readonly stallMs: number; readonly sink: Sink },
): Promise<SingleRequestForm> => {
  const within = createPatience(request, stallMs);
  let filename: string | undefined;
  let fields: ShareFields = {};
  let current: MultipartFile | undefined;

  const parsed = async <T>(next: Promise<T>): Promise<T> => {
    try {
      return await within(next);
    } catch (error) {
      throw error instanceof ProblemError ? error : notAForm();
    }
  };

  const read = async (part: MultipartFile, into: Sink): Promise<void> => {
    const chunks = part.file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (let next = await parsed(chunks.next()); !next.done; next = await parsed(chunks.next())) await into(next.value);
  };

  const readFile = async (part: MultipartFile): Promise<string> => {
    if (nameOf(part) !== 'file') throw invalidInput({ path: `/${nameOf(part)}`, message: 'is not a known file' });
    if (filename !== undefined) throw invalidInput({ path: '/file', message: 'is given twice' });
    await read(part, sink);
    return filenameOf(part.filename ?? '');
  };

  const readField = async (part: MultipartFile, number: number): Promise<ShareFields> => {
    const name = fieldOf(fields, part);
    const chunks: Buffer[] = [];
    let size = 0;
    await read(part, async (chunk) => {
      size += chunk.length;
      if (size > FIELD_BYTES) throw invalidInput({ path: `/${name}`, message: 'is too long' });
      chunks.push(chunk);
    });
    const { mimetype, encoding } = part;
    const text = textOf(name, { bytes: Buffer.concat(chunks), charset: sent.charsetOf(number), mimetype, encoding });
    return { ...fields, [name]: READ[name](text) };
  };

  if (!request.isMultipart()) throw notAForm();
  const sent = createFormPartCounter(request.headers['content-type'] ?? '');
  let count = 0;
  request.raw.on('data', sent.see);
  const parts = request.parts(OPTIONS);
  try {
    for (let next = await parsed(parts.next()); !next.done; next = await parsed(parts.next())) {
      if (next.value.type === 'field') throw notAForm();
      current = next.value;
      if (isFile(current)) filename = await readFile(current);
      else fields = await readField(current, count);
      count += 1;
    }
  } catch (error) {
    current?.file.destroy();
    request.raw.unpipe();
    throw error;
  } finally {
    request.raw.off('data', sent.see);
  }
  if (count !== sent.count()) throw partUnread();
  if (filename === undefined) throw invalidInput({ path: '/file', message: 'is required' });
  return { filename, fields };
};
