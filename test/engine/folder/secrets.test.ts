import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderPublishing } from '../../support/folder/folder-publishing.ts';
import { initRepository, type Tree } from '../../support/folder/git-repository.ts';
import { filesOf } from '../../support/folder/packed-folder.ts';
import { startRecordingRelay } from '../../support/server/recording-relay.ts';

const { dir, service, folderOf, connected, add, published, stored } = folderPublishing('folder-secrets');

describe('no secret ever leaves the machine', () => {
  const mark = (kind: string) => `PLANTED-${kind}-5f2c9e`;
  const key = (kind: string) =>
    `-----BEGIN ${kind}PRIVATE KEY-----\n${mark(kind.trim() || 'plain')}\n-----END ${kind}PRIVATE KEY-----\n`;
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

  /** Of a length at which the dashes of a key after it are not at the beginning of a group of Base64 in its line. */
  const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${'M'.repeat(12)}\n-----END CERTIFICATE-----\n`;
  const wrapped = (text: string, after: string) =>
    `${Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n')}\n# ${after}\n`;

  const PLANTED: Tree = {
    '.env': mark('env'),
    'deep/.ENV.local': mark('env-local'),
    '.env.example': `AWS=AKIAIOSFODNN7EXAMPLE ${mark('env-example')}`,
    'server.pem': mark('pem'),
    'tls/server.KEY': mark('key'),
    'putty.ppk': mark('ppk'),
    'store.p12': mark('p12'),
    'store.jks': mark('jks'),
    'passwords.kdbx': mark('kdbx'),
    id_rsa: mark('id-rsa'),
    '.ssh/id_ed25519': mark('id-ed25519'),
    'credentials.json': mark('credentials'),
    '.aws/credentials': mark('aws'),
    '.npmrc': mark('npmrc'),
    '.pypirc': mark('pypirc'),
    '.netrc': mark('netrc'),
    '.git-credentials': mark('git-credentials'),
    '.pgpass': mark('pgpass'),
    '.htpasswd': mark('htpasswd'),
    token: mark('token'),
    'ci/github_token.txt': mark('github-token'),
    'a/.vault-token': mark('vault-token'),
    'notes/rsa.txt': key('RSA '),
    'notes/plain.txt': `text before\n${key('')}`,
    'notes/openssh.md': key('OPENSSH '),
    'notes/pgp.asc': `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${mark('pgp')}\n`,
    'notes/utf16.txt': utf16(key('EC ')),
    'notes/kubeconfig.yml': `client-key-data: ${Buffer.from(key('EC ')).toString('base64')}\n# ${mark('kubeconfig')}`,
    'notes/bundle.b64': wrapped(`${CERTIFICATE}${key('EC ')}`, mark('bundle')),
    'notes/ssh2.txt': `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${mark('ssh2')}`,
    'notes/putty.txt': `PuTTY-User-Key-File-2: ssh-rsa\n${mark('putty')}`,
    'config/local.yml': mark('ignored'),
    'config/sub/more.yml': mark('ignored-deeper'),
    'excluded.txt': mark('excluded'),
    'node_modules/pkg/secret.js': mark('dependency'),
    'dist/bundle.js': mark('build'),
    '.idea/dataSources.xml': mark('editor'),
    '.gitignore': `config/local.yml # ${mark('comment')}\nconfig/local.yml\n`,
    'config/.gitignore': '/sub/\n',
  };

  test('each kind of secret that is planted in a folder is neither in the bytes sent nor in what they hold', async () => {
    const relay = await startRecordingRelay(service().url);
    const { engine, user } = await connected(relay.url);
    const root = folderOf({ 'src/main.ts': 'export const kept = true;\n', 'docs/token.ts': 'code', ...PLANTED });
    const git = initRepository(root, join(dir, 'home'));
    git.run('config', 'remote.origin.url', `https://user:${mark('git-config')}@example.com/x`);
    writeFileSync(join(root, '.git/info/exclude'), 'excluded.txt\n');
    mkdirSync(join(dir, 'outside'), { recursive: true });
    writeFileSync(join(dir, 'outside/file.txt'), mark('outside'));
    symlinkSync(join(dir, 'outside/file.txt'), join(root, 'src/link.txt'));
    symlinkSync(join(dir, 'outside'), join(root, 'src/linked'));

    const item = await published(engine, await add(engine, root));
    const kept = await stored(user, item.content.id);
    expect([...kept.keys()]).toEqual(['config/.gitignore', 'docs/token.ts', 'src/main.ts']);

    const sent = relay.sent();
    const start = sent.indexOf('PK\x03\x04');
    const archive = sent.subarray(start, sent.indexOf(Buffer.from('PK\x05\x06'), start) + 22);
    expect([...filesOf(archive).keys()]).toEqual([
      'folder/config/.gitignore',
      'folder/docs/token.ts',
      'folder/src/main.ts',
    ]);
    const held = [...filesOf(archive).values()].join('\n');
    for (const bytes of [sent.toString('latin1'), held]) expect(bytes.match(/PLANTED|P\0L\0A\0N\0T\0E\0D/)).toBeNull();
  });
});
