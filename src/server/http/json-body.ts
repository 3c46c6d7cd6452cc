/** Reads JSON bodies: at most 1 MB, UTF-8, with a time limit (API document, "Limits"). */
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../api/limits.ts';
import { invalidInput, type ProblemError } from '../problem.ts';
import { inviteBody } from './discard-body.ts';
import { readBody } from './read-body.ts';
import type { App } from './route.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

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
