/**
 * Streams a `multipart/form-data` body with one file and the fields of an item: passes the bytes to a sink, parses the
 * fields and refuses unknown, repeated or malformed ones, and aborts a stalled body (API document, "POST /folders",
 * form fields). The limits of title, tags and password are checked on publication; here only the length of the
 * `tags` field as a whole, and 16 KiB for any field.
 */
import type { Multipart, MultipartFile } from '@fastify/multipart';
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
  limits: { fieldSize: FIELD_BYTES, parts: PARTS_MAX, fileSize: Number.POSITIVE_INFINITY },
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

/** What the parser puts in place of bytes that are not UTF-8. */
const REPLACED = '\ufffd';
/** The others encode the value, and the parser does not decode it (RFC 7578, 4.7: senders should not use them). */
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary'];

/** A part labelled as JSON is already parsed, and to write its value again could change what was sent. */
const plainTextOf = (name: keyof ShareFields, value: unknown): string => {
  if (typeof value === 'string') return value;
  if (name === 'tags' ? Array.isArray(value) : name === 'oneTime' && typeof value === 'boolean')
    return JSON.stringify(value);
  throw invalidInput({ path: `/${name}`, message: 'must be text; leave out the type application/json of its part' });
};

/** Refuses what would be another password or title than was sent. */
const textOf = (name: keyof ShareFields, { value, encoding }: Exclude<Multipart, MultipartFile>): string => {
  const text = plainTextOf(name, value);
  if (text.includes(REPLACED)) throw invalidInput({ path: `/${name}`, message: 'must be text in UTF-8' });
  if (PLAIN_ENCODINGS.includes(encoding.trim())) return text;
  throw invalidInput({ path: `/${name}`, message: 'must be plain text; leave out Content-Transfer-Encoding' });
};

const readField = (fields: ShareFields, part: Exclude<Multipart, MultipartFile>): ShareFields => {
  const name = nameOf(part);
  if (name === 'file') throw invalidInput({ path: '/file', message: 'must be a file with a file name' });
  if (!isField(name)) throw invalidInput({ path: `/${name}`, message: 'is not a known field' });
  if (Object.hasOwn(fields, name)) throw invalidInput({ path: `/${name}`, message: 'is given twice' });
  if (part.valueTruncated) throw invalidInput({ path: `/${name}`, message: 'is too long' });
  return { ...fields, [name]: READ[name](textOf(name, part)) };
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

  const readFile = async (part: MultipartFile): Promise<string> => {
    if (nameOf(part) !== 'file') throw invalidInput({ path: `/${nameOf(part)}`, message: 'is not a known file' });
    if (filename !== undefined) throw invalidInput({ path: '/file', message: 'is given twice' });
    const chunks = part.file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (let next = await parsed(chunks.next()); !next.done; next = await parsed(chunks.next())) await sink(next.value);
    return filenameOf(part.filename ?? '');
  };

  if (!request.isMultipart()) throw notAForm();
  const sent = createFormPartCounter(request.headers['content-type'] ?? '');
  let read = 0;
  request.raw.on('data', sent.see);
  const parts = request.parts(OPTIONS);
  try {
    for (let next = await parsed(parts.next()); !next.done; next = await parsed(parts.next())) {
      read += 1;
      if (next.value.type === 'field') fields = readField(fields, next.value);
      else {
        current = next.value;
        filename = await readFile(current);
      }
    }
  } catch (error) {
    current?.file.destroy();
    request.raw.unpipe();
    throw error;
  } finally {
    request.raw.off('data', sent.see);
  }
  if (read !== sent.count()) throw partUnread();
  if (filename === undefined) throw invalidInput({ path: '/file', message: 'is required' });
  return { filename, fields };
};
