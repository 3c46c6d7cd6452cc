/** The error messages of the terminal: what happened, and what to do. Built from code and params only. */
import { type AppErrorCode, type ErrorCode, type Failure, SERVICE_ERRORS } from '../api/errors.ts';
import { formatBytes } from './output/format.ts';

const KEPT = 'The file stays in the queue; linkshot resume goes on with it.';
const NEW_KEY = `Make a new key, set LINKSHOT_KEY, and run linkshot resume.`;

const limit = ({ params }: Failure): string =>
  typeof params?.['limitBytes'] === 'number' ? ` The limit is ${formatBytes(params['limitBytes'])}.` : '';
const ceiling = ({ params }: Failure): string =>
  params?.['ceiling'] === 'server' ? ' No plan allows more.' : ' Make it smaller or choose a larger plan.';

/** The wait that the service asked for. */
const wait = ({ afterMs = 0 }: Failure): string => {
  const minutes = Math.ceil(afterMs / 60_000);
  return minutes > 1 ? `${minutes} minutes` : 'a minute';
};

const formatProblem = (problem: unknown): string => {
  if (typeof problem === 'string') return problem;
  if (typeof problem !== 'object' || problem === null) return String(problem);
  const { message, detail, problem: name, code } = problem as Record<string, unknown>;
  const words = message ?? detail ?? name ?? code;
  return typeof words === 'string' ? words : JSON.stringify(problem);
};
const problems = ({ params, detail }: Failure): string => {
  const list = params?.['problems'];
  return Array.isArray(list) && list.length > 0 ? `\n  - ${list.map(formatProblem).join('\n  - ')}` : ` ${detail}`;
};

const issues = (params: Failure['params']): string | null => {
  const list = params?.['issues'];
  const messages = Array.isArray(list) ? list.map(formatProblem) : [];
  return messages.length > 0 ? messages.join(' ') : null;
};

const planOf = (params: Failure['params']): string | null => {
  const name = (params?.['planName'] as { readonly en?: unknown } | null | undefined)?.en;
  if (typeof name !== 'string') return null;
  return params?.['trial'] === 'available' ? `the plan ${name}, which can be tried for free` : `the plan ${name}`;
};

type Sentence = string | ((failure: Failure) => string);

const NO_TOOL =
  'This video must be made to fit the service, and ffmpeg, which does that, was not found. Install it (or name it in LINKSHOT_FFMPEG), then run linkshot resume.';
const DISK_FULL = 'The disk of this computer is full. Free some space, then run linkshot resume.';

const SENTENCES: Partial<Record<ErrorCode, Sentence>> & Record<AppErrorCode, Sentence> = {
  NOT_CONNECTED: `Linkshot is not connected to a service. Run linkshot connect URL, or give --server URL and LINKSHOT_KEY. ${KEPT}`,
  CONNECTION_REFUSED: `Nothing answers at this address. Check the address and that the service runs. ${KEPT}`,
  SERVER_UNREACHABLE: `The service cannot be reached. Check the address and the network. ${KEPT}`,
  NETWORK_FAILED: `The network failed. ${KEPT}`,
  REPLY_TIMEOUT: `The service did not answer in time. ${KEPT}`,
  NOT_THE_SERVICE: `What answers at this address is not the service (perhaps a sign-in page of the network). Check the address. ${KEPT}`,
  UNSAFE_ANSWER: `The service sent a link with characters that a link cannot have, so it is not shown. Check the address of the service, or ask its operator. ${KEPT}`,
  LIST_ENDLESS: ({ detail }) => `${detail} What was read is in the library.`,
  REDIRECT_REFUSED:
    'The service sends this request to another address, and the key is never sent there. Use that address itself.',
  TLS_FAILED: ({ params }) =>
    params?.['secure'] === false
      ? 'What answers at this address does not speak https. Check the address; a service on this computer may be at http://.'
      : 'The certificate of the service cannot be trusted. Check the address and the clock of this computer.',
  INSECURE_ADDRESS:
    'A key is sent over https only (or over http to this computer). Use an address that begins with https://.',
  ADDRESS_INVALID: 'This is not the address of a service. It looks like https://share.example.com.',
  SOURCE_MISSING: ({ params }) => {
    if (typeof params?.['pattern'] === 'string')
      return 'No file matches this pattern. Check it, or put it in quotation marks.';
    // A named file never entered the queue.
    return typeof params?.['name'] === 'string'
      ? 'There is nothing of this name. Check it.'
      : 'The file is not there any more. Put it back, and run linkshot resume.';
  },
  SOURCE_UNREADABLE: 'The file cannot be read. Check its permissions.',
  SOURCE_EMPTY: 'The file is empty, so there is nothing to share.',
  SOURCE_SECRET: 'The file looks like a password or a key, so it was not shared.',
  NOTE_EMPTY: 'There is no text to share.',
  NOTE_TOO_LONG: 'The text is too long: a note has at most 200,000 characters. Split it into several notes.',
  NOTE_NOT_TEXT:
    'This is not text in UTF-8 or UTF-16, so it cannot become a note. Save a text as UTF-8; pictures and videos go with linkshot upload.',
  SOURCE_NOT_A_FILE: ({ params }) =>
    params?.['kind'] === 'folder'
      ? 'This is a folder, and only files are uploaded. linkshot folder DIR shares the code in it.'
      : 'This is a folder or a device. Name a file.',
  SOURCE_NOT_A_FOLDER: 'This is a file, not a folder. Name a folder, or share the file with linkshot upload FILE.',
  SOURCE_CHANGED:
    'The file was changed while it was uploaded, so nothing was published. Upload it again when it is finished.',
  VIDEO_TOOL_MISSING: ({ detail, params }) => (params?.['for'] === 'recording' ? detail : NO_TOOL),
  VIDEO_UNREADABLE: 'No picture of this video can be read: it is damaged, or no video at all. Choose another file.',
  VIDEO_FIT_FAILED:
    'The video could not be made to fit the service. Run linkshot resume to try again, or convert it to an MP4 yourself.',
  CAPTURE_UNAVAILABLE: ({ detail }) => detail,
  CAPTURE_AREA_INVALID: ({ detail }) => detail,
  IMAGE_UNREADABLE:
    'This picture is damaged, or of a kind that cannot be decoded here. Save it as PNG or JPEG in the program that made it, and upload that.',
  IMAGE_VECTOR:
    'SVG drawings can hold programs and links and are not accepted. Export the drawing as PNG, and upload that.',
  DISK_FULL: ({ detail, params }) => (params?.['for'] === 'recording' ? detail : DISK_FULL),
  KEY_STORE_FAILED: 'The key store of this computer does not answer. Give the key in LINKSHOT_KEY instead.',
  CAPTURE_BUSY: ({ detail }) => detail,
  CAPTURE_GONE: ({ detail }) => detail,
  RECORDING_LIMIT: ({ detail }) => detail,
  RECORDING_INTERRUPTED: ({ detail }) => detail,
  RECORDING_RECOVERED: ({ detail }) => detail,
  SAVE_FAILED: ({ detail }) => detail,
  HOTKEY_TAKEN: ({ detail }) => detail,
  HOTKEY_INVALID: ({ detail }) => detail,
  PROFILE_BUSY: 'Another Linkshot uses this profile and does not answer. Quit it, or use another --profile DIR.',
  PROFILE_NEWER: 'This profile was written by a newer Linkshot. Update this one, or use another --profile DIR.',
  PROFILE_DAMAGED: ({ detail }) => `${detail} Use another --profile DIR, or put its folder right.`,
  ITEM_UNREADABLE: 'This item was written by another version and cannot be continued.',
  COMMAND_INVALID: ({ detail }) => detail,
  TOO_MANY_TAGS: ({ detail }) => `${detail} Take one off with --remove-tags, then add it again.`,
  DRAWING_TOO_LARGE: ({ detail }) => detail,
  CANCELLED: ({ detail }) => detail,
  APP_FAILED: ({ detail }) => detail,
  AUTH_REQUIRED: `The service asks for a key. ${NEW_KEY}`,
  API_KEY_EXPIRED: `The API key has expired. ${NEW_KEY}`,
  API_KEY_REVOKED: `The API key was revoked. ${NEW_KEY}`,
  API_KEY_INVALID: `The service does not know this API key. Check LINKSHOT_KEY, or make a new key, and run linkshot resume.`,
  ACCOUNT_BANNED: 'The account is banned. Ask the operator of the service.',
  ACCOUNT_ACCESS_CHANGED: `Access to the account has changed. ${NEW_KEY}`,
  SCOPE_MISSING: ({ params }) =>
    `The API key lacks the permission ${typeof params?.['scope'] === 'string' ? params['scope'] : 'content:write'}. Make a key that has it.`,
  ACCOUNT_MISMATCH: 'This upload was begun under another account. Connect to that account, or upload the file again.',
  NOT_FOUND: ({ params }) =>
    params?.['asked'] === undefined
      ? 'The service does not know what it was asked for. Check the address of the service.'
      : 'There is no such item. linkshot list shows what was published; with --sync, also on other devices.',
  ACCESS_DENIED: 'The connection was refused. Run linkshot connect again, and approve it.',
  EXPIRED_TOKEN: 'Nobody approved the connection in time. Run linkshot connect again for a new code.',
  INVALID_INPUT: ({ params, detail }) => `The service does not take this: ${issues(params) ?? detail}`,
  ONE_TIME_NOT_PUBLIC: 'A one-time link cannot be public. Leave out one of the two.',
  PLAN_FEATURE_REQUIRED: ({ params }) =>
    `The plan of the account does not include this${typeof params?.['feature'] === 'string' ? ` (${params['feature']})` : ''}. Leave it out, or choose ${planOf(params) ?? 'a larger plan'}.`,
  PASTE_REVISION_CONFLICT: ({ params }) =>
    `The note was changed meanwhile${typeof params?.['currentRevision'] === 'number' ? ` and is now revision ${params['currentRevision']}` : ''}, so nothing was overwritten. linkshot show ID --text shows it; --force puts yours in its place.`,
  FOLDER_EMPTY: 'Nothing of this folder may be shared. linkshot folder DIR --dry-run shows why.',
  FOLDER_TOO_LARGE: 'The folder holds too much text. Share a smaller part of it; --dry-run shows what counts.',
  FOLDER_TOO_MANY_FILES: 'The folder holds too many files. Share a smaller part of it; --dry-run shows what counts.',
  FOLDER_INFECTED: 'The service found something harmful in the folder, and stored nothing.',
  UPLOAD_FORMAT_UNSUPPORTED:
    'This type of file is not accepted. PNG, JPEG, WebP and AVIF images and MP4 and WebM videos are; text goes with linkshot note.',
  UPLOAD_TOO_LARGE: (failure) => `The file is too large.${limit(failure)}${ceiling(failure)}`,
  IMAGE_TOO_LARGE: (failure) => `The image is too large.${limit(failure)}${ceiling(failure)}`,
  VIDEO_TOO_LARGE: (failure) => `The video is too large.${limit(failure)}${ceiling(failure)}`,
  QUOTA_EXCEEDED: 'The account has no space left. Delete something or choose a larger plan, then run linkshot resume.',
  VIDEO_NOT_SUITABLE: (failure) => `The service does not take this video as it is:${problems(failure)}`,
  CONTENT_GONE: 'The item was deleted on the service meanwhile. Upload the file again.',
  UPLOAD_GONE: 'The upload has expired on the service. Upload the file again.',
  RATE_LIMITED: (failure) =>
    `The service is getting too many requests from this account, and takes more in ${wait(failure)}. ${KEPT}`,
  UPLOAD_USER_BUSY: `The account uploads too much at once. ${KEPT}`,
  UPLOAD_PART_MISMATCH:
    'What arrived at the service was not what was sent: something on the way changes it. Nothing was published. Try another network, and upload the file again.',
  UPLOAD_STALLED: `The connection to the service is too slow or broke off. ${KEPT}`,
  IDEMPOTENCY_CONFLICT: 'The service mistook this for an earlier upload, and published nothing. Upload the file again.',
  COMPLETE_CONFLICT:
    'The upload was already finished in another way. Look at linkshot list --sync before you upload it again.',
  UPLOAD_INCOMPLETE: `The service still misses some of the file. ${KEPT}`,
  FOLDER_ARCHIVE_INVALID: 'The service could not read the packed folder, and stored nothing. Share it again.',
  UPLOAD_SERVER_BUSY: `The service is busy. ${KEPT}`,
  INTERNAL: `The service failed. ${KEPT}`,
};

/** One or two plain sentences. `nothing`: the error concerns no file, so the queue is not mentioned. */
export const sentenceOf = (failure: Failure, concerned: 'file' | 'nothing' = 'file'): string => {
  const sentence = wordsOf(failure);
  return concerned === 'file' ? sentence : sentence.replace(` ${KEPT}`, '');
};

const wordsOf = (failure: Failure): string => {
  const sentence = SENTENCES[failure.code];
  if (typeof sentence === 'string') return sentence;
  if (sentence) return sentence(failure);
  return Object.hasOwn(SERVICE_ERRORS, failure.code)
    ? SERVICE_ERRORS[failure.code as keyof typeof SERVICE_ERRORS].title
    : failure.detail;
};
