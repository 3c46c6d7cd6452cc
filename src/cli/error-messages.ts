/**
 * The error messages of the command line: what happened, and what to do. Built from an error's code and params; for
 * some codes from its detail.
 */
import { type AppErrorCode, type ErrorCode, type Failure, SERVICE_ERRORS } from '../api/errors.ts';
import { isDriveAway } from '../common/is-drive-away.ts';
import { formatBytes } from './output/format.ts';

const KEPT = 'The file stays in the queue; linkshot resume continues it.';
const IN_EDITOR = 'The screenshot is kept: Linkshot shows it in its editor.';
const IN_QUEUE =
  'It stays in the queue: linkshot resume tries it again, the window of Linkshot changes its settings, and linkshot queue cancel removes it.';
const NEW_KEY = `Create a new key, set LINKSHOT_KEY, and run linkshot resume.`;

const limit = ({ params }: Failure): string =>
  typeof params?.['limitBytes'] === 'number' ? ` The limit is ${formatBytes(params['limitBytes'])}.` : '';
const ceiling = ({ params }: Failure): string =>
  params?.['ceiling'] === 'server' ? ' No plan allows more.' : ' Make it smaller or choose a plan with a higher limit.';

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
  return params?.['trial'] === 'available' ? `the ${name} plan, which you can try for free` : `the ${name} plan`;
};

type Sentence = string | ((failure: Failure) => string);

const NO_TOOL =
  'The video must be converted, to meet the limits of the service or to remove what may tell a place, and ffmpeg was not found. Install it (or set LINKSHOT_FFMPEG to its path), then run linkshot resume.';
const DISK_FULL = 'The disk is full. Free some space, then run linkshot resume.';

const SENTENCES: Partial<Record<ErrorCode, Sentence>> & Record<AppErrorCode, Sentence> = {
  NOT_CONNECTED: `Linkshot is not connected to a service. Run linkshot connect URL, or set --server URL and LINKSHOT_KEY. ${KEPT}`,
  CONNECTION_REFUSED: `No service responds at this address. Check the address and whether the service is running. ${KEPT}`,
  SERVER_UNREACHABLE: `The service cannot be reached. Check the address and the network. ${KEPT}`,
  NETWORK_FAILED: `The network connection was lost. ${KEPT}`,
  REPLY_TIMEOUT: `The service did not respond in time. ${KEPT}`,
  NOT_THE_SERVICE: `This address does not belong to a file sharing service (perhaps a sign-in page of the network). Check the address. ${KEPT}`,
  UNSAFE_ANSWER: `The service sent an invalid link, which is not shown. Check the address of the service, or contact the server admin. ${KEPT}`,
  LIST_ENDLESS: ({ detail }) => `${detail} The items read so far are in the library.`,
  REDIRECT_REFUSED:
    'The service redirects to another address, and the key is never sent there. Use that address directly.',
  TLS_FAILED: ({ params }) =>
    params?.['secure'] === false
      ? 'The server at this address does not support https. Check the address; a service on this computer may use http://.'
      : 'The certificate of the service cannot be trusted. Check the address and the system clock.',
  INSECURE_ADDRESS:
    'A key is sent over https only (or over http to this computer). Use an address that begins with https://.',
  ADDRESS_INVALID: 'This is not the address of a service. Use an address such as https://share.example.com.',
  SOURCE_MISSING: ({ params }) => {
    if (typeof params?.['pattern'] === 'string')
      return 'No file matches this pattern. Check it, or put it in quotation marks.';
    // A named file never entered the queue.
    return typeof params?.['name'] === 'string'
      ? 'No such file or folder. Check the name.'
      : 'The file no longer exists. Restore it, and run linkshot resume.';
  },
  SOURCE_UNREADABLE: (failure) => {
    const { params, detail } = failure;
    if (params?.['input'] === 'standard') return detail;
    const name = typeof params?.['name'] === 'string' ? params['name'] : 'The file';
    if (isDriveAway(failure))
      return `${name} cannot be read right now. Check that its drive is connected, and run linkshot resume.`;
    return params?.['system'] === 'EREMOTE'
      ? `The folder leads git to ${name}, and Linkshot connects to no computer that a folder names. Remove that path from its .git, or share a copy without .git.`
      : `${name} cannot be read. Check its permissions.`;
  },
  SOURCE_EMPTY: 'The file is empty, so there is nothing to share.',
  SOURCE_SECRET: 'The file looks like a password or key file, so it was not shared.',
  CLIPBOARD_NO_IMAGE: 'There is no image on the clipboard.',
  NOTE_EMPTY: 'There is no text to share.',
  NOTE_TOO_LONG: 'The text is too long: a note can have up to 200,000 characters. Split it into several notes.',
  TOO_MANY_DRAFTS: ({ detail }) => detail,
  NOTE_NOT_TEXT:
    'This is not UTF-8 or UTF-16 text, so it cannot become a note. Save text as UTF-8; use linkshot upload for images and videos.',
  SOURCE_NOT_A_FILE: ({ params }) =>
    params?.['kind'] === 'folder'
      ? 'This is a folder, and only files can be uploaded. Use linkshot folder DIR to share a folder of code.'
      : 'This is a folder or a device. Specify a file.',
  SOURCE_NOT_A_FOLDER: 'This is a file, not a folder. Specify a folder, or share the file with linkshot upload FILE.',
  SOURCE_CHANGED: 'The file changed during the upload, so nothing was published. Upload it again when it is complete.',
  VIDEO_TOOL_MISSING: ({ detail, params }) => (params?.['for'] === 'recording' ? detail : NO_TOOL),
  VIDEO_UNREADABLE: 'The video cannot be read: it is damaged, or not a video. Choose another file.',
  VIDEO_FIT_FAILED:
    'The video could not be converted to meet the limits of the service. Run linkshot resume to retry, or convert it to MP4 yourself.',
  CAPTURE_UNAVAILABLE: ({ detail }) => detail,
  CAPTURE_AREA_INVALID: ({ detail }) => detail,
  IMAGE_UNREADABLE:
    'The image is damaged, or its format cannot be decoded here. Save it as PNG or JPEG in the program that created it, and upload that.',
  IMAGE_VECTOR:
    'SVG drawings can contain scripts and links and are not accepted. Export the drawing as PNG, and upload that.',
  TEXT_DATA_MISSING: ({ detail }) => detail,
  TEXT_NOT_READ: ({ detail }) => `${detail} Choose a smaller part of it, or try again.`,
  SECRETS_FOUND: ({ detail, params }) =>
    `${detail} Nothing was sent. Look at it in the window of Linkshot${params?.['rule'] === 'require' ? '' : ', or upload it as it is with linkshot queue approve'}.`,
  SECRETS_UNCHECKED: ({ detail }) =>
    `The capture could not be checked for secrets: ${detail} Nothing was sent. Look at it in the window of Linkshot, or run linkshot resume to check it again.`,
  SECRETS_NOT_HIDDEN: ({ detail }) =>
    `${detail} Nothing was saved or sent. Cut that part off, or hide it in the editor of Linkshot.`,
  UPLOADED_UNCHECKED: ({ detail }) => detail,
  MAYBE_PUBLISHED: ({ detail }) => detail,
  DISK_FULL: ({ detail, params }) => (params?.['for'] === 'recording' ? detail : DISK_FULL),
  KEY_STORE_FAILED: ({ detail, params }) => {
    if (params?.['place'] === 'session') return detail;
    return params?.['keyLeftFor'] === undefined
      ? 'The system key store does not respond. Set LINKSHOT_KEY instead.'
      : 'The key cannot be deleted from the system key store, so the account stays. Unlock the key store and try again; or use --leave-key, and revoke the key on the account page of the service.';
  },
  CAPTURE_BUSY: ({ detail }) => detail,
  CAPTURE_GONE: ({ detail }) => detail,
  RECORDING_LIMIT: ({ detail }) => detail,
  RECORDING_INTERRUPTED: ({ detail }) => detail,
  RECORDING_RECOVERED: ({ detail }) => detail,
  INPUT_NOT_SHOWN: ({ detail }) => detail,
  CAMERA_NOT_SHOWN: ({ detail }) => detail,
  SAVE_FAILED: ({ detail }) => detail,
  HOTKEY_TAKEN: ({ detail }) => detail,
  HOTKEY_INVALID: ({ detail }) => detail,
  PROFILE_BUSY:
    'Another instance of Linkshot is using this profile and does not respond. Quit it, or use another --profile DIR.',
  PROFILE_NEWER:
    'This profile was written by a newer version of Linkshot. Update this one, or use another --profile DIR.',
  PROFILE_DAMAGED: ({ detail }) => `${detail} Use another --profile DIR, or repair its folder.`,
  ITEM_UNREADABLE: 'This item was written by another version and cannot be continued.',
  COMMAND_INVALID: ({ detail }) => detail,
  TOO_MANY_TAGS: ({ detail }) => `${detail} Remove one with --remove-tags, then try again.`,
  DRAWING_NOT_APPLIED: ({ detail }) =>
    `${detail} Nothing was sent. Share it from the window of Linkshot, or upload it without the edits with linkshot queue approve --unedited.`,
  DRAWING_TOO_LARGE: ({ detail }) => detail,
  CANCELLED: ({ detail }) => detail,
  APP_FAILED: ({ detail }) => detail,
  AUTH_REQUIRED: `The service requires a key. ${NEW_KEY}`,
  API_KEY_EXPIRED: `The API key has expired. ${NEW_KEY}`,
  API_KEY_REVOKED: `The API key was revoked. ${NEW_KEY}`,
  API_KEY_INVALID: `The API key is invalid. Check LINKSHOT_KEY, or create a new key, and run linkshot resume.`,
  ACCOUNT_BANNED: 'The account is banned. Contact the server admin.',
  ACCOUNT_ACCESS_CHANGED: `Access to the account has changed. ${NEW_KEY}`,
  SCOPE_MISSING: ({ params }) =>
    `The API key lacks the permission ${typeof params?.['scope'] === 'string' ? params['scope'] : 'content:write'}. Create a key with this permission.`,
  ACCOUNT_MISMATCH: 'This upload was started with another account. Connect to that account, or upload the file again.',
  NOT_FOUND: ({ params }) => {
    if (params?.['asked'] === undefined)
      return 'The service did not find the requested resource. Check the address of the service.';
    if (params?.['asked'] === 'link')
      return `This link is of another service, so nothing was changed. The item with this id is ${String(params?.['url'])}; to use that one, give the id ${String(params?.['id'])}.`;
    return 'No such item. linkshot list shows published items; with --sync, also those from other devices.';
  },
  ACCESS_DENIED: 'The connection was denied. Run linkshot connect again, and approve it.',
  EXPIRED_TOKEN: 'The connection was not approved in time. Run linkshot connect again for a new code.',
  INVALID_INPUT: ({ params, detail }) => `The service rejected the input: ${issues(params) ?? detail}`,
  ONE_TIME_NOT_PUBLIC: 'A one-time link cannot be public. Leave out one of the two options.',
  PLAN_FEATURE_REQUIRED: ({ params }) =>
    `The plan of the account does not include this${typeof params?.['feature'] === 'string' ? ` (${params['feature']})` : ''}. Omit it, or choose ${planOf(params) ?? 'a plan that includes it'}.`,
  PASTE_REVISION_CONFLICT: ({ params }) =>
    `The note was changed in the meantime${typeof params?.['currentRevision'] === 'number' ? ` and is now revision ${params['currentRevision']}` : ''}, so nothing was overwritten. linkshot show ID --text shows it; --force overwrites it.`,
  FOLDER_EMPTY: 'This folder contains nothing that can be shared. linkshot folder DIR --dry-run shows why.',
  FOLDER_TOO_LARGE: 'The folder contains too much text. Share a smaller part of it; --dry-run shows what counts.',
  FOLDER_TOO_MANY_FILES: 'The folder contains too many files. Share a smaller part of it; --dry-run shows what counts.',
  FOLDER_INFECTED: 'The service found malware in the folder, and stored nothing.',
  UPLOAD_FORMAT_UNSUPPORTED:
    'This file type is not accepted. Use PNG, JPEG, WebP or AVIF images or MP4 or WebM videos; for text use linkshot note.',
  UPLOAD_TOO_LARGE: (failure) => `The file is too large.${limit(failure)}${ceiling(failure)}`,
  IMAGE_TOO_LARGE: (failure) => `The image is too large.${limit(failure)}${ceiling(failure)}`,
  VIDEO_TOO_LARGE: (failure) => `The video is too large.${limit(failure)}${ceiling(failure)}`,
  QUOTA_EXCEEDED:
    'The account has no space left. Delete something or choose a plan with more storage, then run linkshot resume.',
  VIDEO_NOT_SUITABLE: (failure) => `The service does not accept this video:${problems(failure)}`,
  CONTENT_GONE: 'The item was deleted on the service in the meantime. Upload the file again.',
  UPLOAD_GONE: 'The upload has expired on the service. Upload the file again.',
  RATE_LIMITED: (failure) => `Too many requests from this account. Try again in ${wait(failure)}. ${KEPT}`,
  UPLOAD_USER_BUSY: `The account has too many uploads in progress. ${KEPT}`,
  UPLOAD_PART_MISMATCH:
    'The data was changed on its way to the service, and nothing was published. Try another network, and upload the file again.',
  UPLOAD_STALLED: `The connection to the service is too slow or was interrupted. ${KEPT}`,
  IDEMPOTENCY_CONFLICT:
    'The service confused this with an earlier upload, and published nothing. Upload the file again.',
  COMPLETE_CONFLICT:
    'The upload was already completed with other settings. Check linkshot list --sync before you upload it again.',
  UPLOAD_INCOMPLETE: `The service has not received the whole file yet. ${KEPT}`,
  FOLDER_ARCHIVE_INVALID: 'The service could not read the packed folder, and stored nothing. Share it again.',
  UPLOAD_SERVER_BUSY: `The service is busy. ${KEPT}`,
  INTERNAL: `The service reported an internal error. ${KEPT}`,
};

/** One or two plain sentences. `nothing`: the error concerns no item in the queue, which is then not mentioned. */
export const errorMessageOf = (failure: Failure, concerned: 'file' | 'nothing' = 'file'): string => {
  const sentence = wordsOf(failure);
  const message =
    concerned === 'file'
      ? sentence
      : sentence.replace(` ${KEPT}`, '').replace(/(r)un linkshot resume/gi, '$1epeat the command');
  const keptIn = failure.params?.['keptIn'];
  if (keptIn === 'editor') return `${message} ${IN_EDITOR}`;
  return keptIn === 'queue' ? `${message} ${IN_QUEUE}` : message;
};

const wordsOf = (failure: Failure): string => {
  const sentence = SENTENCES[failure.code];
  if (typeof sentence === 'string') return sentence;
  if (sentence) return sentence(failure);
  return Object.hasOwn(SERVICE_ERRORS, failure.code)
    ? SERVICE_ERRORS[failure.code as keyof typeof SERVICE_ERRORS].title
    : failure.detail;
};
