/** Parses the forms of the server's own pages into `URLSearchParams`. */
import type { IncomingMessage } from 'node:http';
import type { ServerConfig } from '../config/config.ts';
import { readBody } from './read-body.ts';
import type { App } from './route.ts';

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
