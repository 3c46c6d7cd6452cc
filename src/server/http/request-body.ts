/** Reads the JSON bodies of the API and the forms of the server's own pages, with limits on size and time. */
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../api/limits.ts';
import type { ServerConfig } from '../config/config.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import type { App } from './app-type.ts';
import { bodyTooLarge } from './error-responses.ts';
import { inviteBody } from './expect-continue.ts';
import { TOO_SLOW } from './in-flight-requests.ts';

const stalled = (): ProblemError =>
  new ProblemError('UPLOAD_STALLED', 'The body stopped arriving; send the request again.', {
    connection: 'close-after-answer',
  });

/** Rejects with UPLOAD_TOO_LARGE, UPLOAD_STALLED or INVALID_INPUT. */
const readBody = (
  payload: IncomingMessage,
  { bytesMax, stallMs }: { readonly bytesMax: number; readonly stallMs: number },
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(payload.headers['content-length'] ?? 0) > bytesMax) {
      reject(bodyTooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      clearTimeout(stall);
      payload.off('data', onData).off('end', onEnd).off('close', onClose).off(TOO_SLOW, fail);
      settle();
    };
    const fail = (reason: Error): void => end(() => reject(reason));
    const stall = setTimeout(() => fail(stalled()), stallMs);
    const onData = (chunk: Buffer): void => {
      stall.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size > bytesMax) fail(bodyTooLarge());
    };
    const onEnd = (): void => end(() => resolve(Buffer.concat(chunks, size)));
    const onClose = (): void => fail(invalidInput({ path: '', message: 'ended before its body did' }));
    payload.on('data', onData).on('end', onEnd).on('close', onClose).on(TOO_SLOW, fail);
  });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads JSON bodies: at most 1 MB, UTF-8, with a time limit (API document, "Limits"). */
export const registerJsonBody = (app: App, stallMs: number): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(payload as IncomingMessage, { bytesMax: LIMITS.jsonBodyBytes, stallMs }).then((bytes) => {
      // A client that labels an empty body as JSON means no body.
      if (bytes.length === 0) return done(null, undefined);
      const text = decode(bytes);
      return text === null ? done(notJson()) : parse(request, text, (error, body) => done(error && notJson(), body));
    }, done);
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.routeOptions.config.readsOwnBody !== true) {
      // An empty body has no type: some clients always send the type of forms.
      if (request.headers['content-length'] === '0') delete request.headers['content-type'];
      inviteBody(request, reply);
    }
    done();
  });
};

const notJson = (): ProblemError => invalidInput({ path: '', message: 'must have a JSON body' });

const decode = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};

// Parses the forms of the server's own pages into `URLSearchParams`.

/** Routes of `scope` accept forms of at most `bytesMax` bytes. */
export const registerFormBody = (scope: App, { limits }: ServerConfig, bytesMax: number): void => {
  const stallMs = limits.formStallSeconds * 1_000;
  scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
    readBody(payload as IncomingMessage, { bytesMax, stallMs }).then(
      (bytes) => done(null, new URLSearchParams(bytes.toString())),
      done,
    );
  });
};
