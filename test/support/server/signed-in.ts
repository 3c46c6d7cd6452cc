/** A user with a password, and their browser, reduced to cookies and forms. */
import { createPasswords } from '../../../src/server/passwords.ts';
import { browser } from './items.ts';
import type { RunningServer, User } from './server.ts';

export const PASSWORD = 'correct horse battery';
let hashed: Promise<string> | undefined;

/** A new user who can sign in with `PASSWORD`. */
export const userWithPassword = async (
  server: RunningServer,
  options: Parameters<RunningServer['user']>[0] = {},
): Promise<User> => {
  hashed ??= createPasswords().hash(PASSWORD);
  const user = await server.user(options);
  await server.server.accounts.setPassword(user.username, await hashed);
  return user;
};

/** The fields of a form as a browser sends them; a list is a repeated field. */
type FormFields = Readonly<Record<string, string | readonly string[]>>;

const formBody = (fields: FormFields): Uint8Array =>
  Buffer.from(
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
      ),
    ).toString(),
  );

/** Sends forms of the server's own pages, with the cookies it received. */
export const formBrowser = (server: RunningServer, headers: Readonly<Record<string, string>> = {}) => {
  const { send, ...rest } = browser(server);
  const ask: typeof send = (question) => send({ ...question, headers: { ...headers, ...question.headers } });
  const post = (path: string, fields: FormFields = {}, more: Readonly<Record<string, string>> = {}) =>
    ask<string>({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...more },
      body: formBody(fields),
    });
  return {
    ...rest,
    send: ask,
    get: (path: string) => ask<string>({ path }),
    post,
    signIn: (username: string, password = PASSWORD, next = '/account') =>
      post('/sign-in', { username, password, next }),
  };
};

export type FormBrowser = ReturnType<typeof formBrowser>;
