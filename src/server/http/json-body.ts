/** Reads JSON bodies: at most 1 MB, UTF-8, and never waiting forever for one that stopped arriving (API document, "Limits"). */
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../contract/service/limits.ts';
import { invalidInput, ProblemError } from '../problem.ts';
import { bodyTooLarge } from './errors.ts';
import type { App } from './route.ts';
import { inviteBody } from './unread-body.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const registerJsonBody = (app: App, stallMs: number): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(payload as IncomingMessage, stallMs).then((bytes) => {
      // A client that labels an empty body as JSON means no body.
      if (bytes.length === 0) return done(null, undefined);
      const text = decode(bytes);
      return text === null ? done(notJson()) : parse(request, text, (error, body) => done(error && notJson(), body));
    }, done);
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.routeOptions.config.readsOwnBody !== true) {
      // No body has no type: some clients name the one of forms whenever they send nothing.
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

const readBody = (payload: IncomingMessage, stallMs: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(payload.headers['content-length'] ?? 0) > LIMITS.jsonBodyBytes) {
      reject(bodyTooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      clearTimeout(stall);
      payload.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    };
    const stall = setTimeout(() => end(() => reject(stalled())), stallMs);
    const onData = (chunk: Buffer): void => {
      stall.refresh();
      size += chunk.length;
      chunks.push(chunk);
      if (size > LIMITS.jsonBodyBytes) end(() => reject(bodyTooLarge()));
    };
    const onEnd = (): void => end(() => resolve(Buffer.concat(chunks, size)));
    const onClose = (): void => end(() => reject(invalidInput({ path: '', message: 'ended before its body did' })));
    payload.on('data', onData).on('end', onEnd).on('close', onClose);
  });

const stalled = (): ProblemError =>
  new ProblemError('UPLOAD_STALLED', 'The body stopped arriving; send the request again.', {
    connection: 'close-after-answer',
  });
