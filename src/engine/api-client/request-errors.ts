/**
 * Converts a failed request, whether the service refused it or the network failed, to a `Failure` with a readable
 * description. The description never contains a raw body.
 */
import Type from 'typebox';
import {
  type ErrorCode,
  type Failure,
  failure,
  isServiceErrorCode,
  Problem,
  SERVICE_ERRORS,
  type ServiceErrorCode,
} from '../../api/errors.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import { cleanReply } from './sanitize-reply.ts';

const isCoded = createValidator(
  Type.Object({ code: Type.String(), detail: Type.Optional(Type.Unknown()), params: Type.Optional(Type.Unknown()) }),
);
/** What tells an error with an unknown code from one of an intermediary. */
const isProblem = createValidator(Type.Omit(Problem, ['params', 'currentRevision']));
const isParams = createValidator(Type.Record(Type.String(), Type.Unknown()));

/** Wait for a busy server that sends no Retry-After. */
const DEFAULT_WAIT_MS = 3_000;

/** An error reply. `afterMs`: its Retry-After, null where missing. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly afterMs: number | null;
}

/**
 * The failure for an error reply. A body that is not the service's problem document comes from an intermediary
 * (`params.isForeign`), which may have passed the request on.
 */
export const failureOfRefusal = ({ status, text, afterMs }: Refusal): Failure => {
  const { code, detail, params } = readProblem(text, status) ?? {
    code: foreignCodeOf(status),
    detail: foreignDetail(status),
    params: { isForeign: true },
  };
  const wait = afterMs ?? (status === 429 || status === 503 ? DEFAULT_WAIT_MS : null);
  return failure(code, detail, { status, ...(params && { params }), ...(wait !== null && { afterMs: wait }) });
};

/**
 * A known code is sufficient: RFC 9457 requires no member of a problem, and one of another type counts as absent (3.1).
 * Null: the body is not the service's.
 */
const readProblem = (text: string, status: number): Pick<Failure, 'code' | 'detail' | 'params'> | null => {
  const body = parseBody(text);
  if (!isCoded(body)) return null;
  const code = isServiceErrorCode(body.code) ? body.code : isProblem(body) ? serviceCodeOf(status) : null;
  if (code === null) return null;
  const { detail, params } = body;
  return {
    code,
    detail: typeof detail === 'string' ? detail : SERVICE_ERRORS[code].title,
    ...(isParams(params) && { params }),
  };
};

const parseBody = (text: string): unknown => {
  try {
    return cleanReply(JSON.parse(text), null);
  } catch {
    // HTML of a proxy, or a truncated body: only the status counts.
    return undefined;
  }
};

/** For a problem with a code unknown to this version. */
const serviceCodeOf = (status: number): ServiceErrorCode => {
  switch (status) {
    case 401:
      return 'AUTH_REQUIRED';
    case 404:
      return 'NOT_FOUND';
    case 408:
      return 'UPLOAD_STALLED';
    case 410:
      return 'UPLOAD_GONE';
    case 413:
      return 'UPLOAD_TOO_LARGE';
    case 429:
      return 'RATE_LIMITED';
    case 503:
      return 'UPLOAD_SERVER_BUSY';
    default:
      return status >= 500 ? 'INTERNAL' : 'INVALID_INPUT';
  }
};

/**
 * For a reply that an intermediary wrote. All but 413 are retried: its 401 or 404 says nothing about the key or the item.
 */
const foreignCodeOf = (status: number): ErrorCode => {
  switch (status) {
    case 408:
      return 'UPLOAD_STALLED';
    case 413:
      return 'UPLOAD_TOO_LARGE';
    case 429:
      return 'RATE_LIMITED';
    case 503:
      return 'UPLOAD_SERVER_BUSY';
    case 511:
      return 'NOT_THE_SERVICE';
    default:
      return status >= 500 ? 'INTERNAL' : 'NOT_THE_SERVICE';
  }
};

const foreignDetail = (status: number): string =>
  status >= 500
    ? `Something in front of the service answered with status ${status}.`
    : `Status ${status} came with a page that is not the service's. Check the address and the network.`;

/** The failure of a request without a reply. */
export const failureOfError = (error: unknown): Failure => {
  const { code, message } = describe(error);
  const detail = `${sentenceOf(codeOfSystemError(code))} (${code ?? message})`;
  // The server speaks no TLS, e.g. plain http.
  const params = code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? { params: { secure: false } } : {};
  return failure(codeOfSystemError(code), detail, params);
};

const describe = (error: unknown): { code: string | undefined; message: string } => {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (own === undefined && error.cause instanceof Error) return describe(error.cause);
  return { code: own, message: error.message };
};

const UNREACHABLE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const codeOfSystemError = (code: string | undefined) => {
  if (code === undefined) return 'NETWORK_FAILED';
  if (code === 'ECONNREFUSED') return 'CONNECTION_REFUSED';
  if (UNREACHABLE.has(code)) return 'SERVER_UNREACHABLE';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'REPLY_TIMEOUT';
  if (/^(HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_HEADERS_OVERFLOW)/.test(code)) return 'NOT_THE_SERVICE';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code)) return 'TLS_FAILED';
  return 'NETWORK_FAILED';
};

const sentenceOf = (code: ReturnType<typeof codeOfSystemError>): string => {
  switch (code) {
    case 'CONNECTION_REFUSED':
      return 'Nothing answers at this address. Check the address, and that the service is running.';
    case 'SERVER_UNREACHABLE':
      return 'The service cannot be reached. Check the address and the network.';
    case 'REPLY_TIMEOUT':
      return 'The service did not answer in time.';
    case 'NOT_THE_SERVICE':
      return 'Something answered that is not the service. Check the address and the network.';
    case 'TLS_FAILED':
      return 'The secure connection could not be made. Check the address and the certificate of the service.';
    case 'NETWORK_FAILED':
      return 'The connection broke off.';
  }
};
