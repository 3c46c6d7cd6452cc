/** With an antivirus on the server a threat is 422 FOLDER_INFECTED and nothing is stored (API document, "Archive rules" 6). */
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { isWindows, itWith, unless } from '../../support/only-on.ts';
import { type Clamd, EICAR, startClamd } from '../../support/server/clamd.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { objectFiles } from '../../support/server/stored-bytes.ts';

const send = async (service: RunningServer, files: Readonly<Record<string, string>>) =>
  sendFile(service.url, {
    path: '/api/v1/folders',
    key: (await service.user()).apiKey,
    bytes: zipOf(files),
    filename: 'project.zip',
  });

const expectBusy = async (service: RunningServer) => {
  const answer = await send(service, { 'a.txt': 'text' });
  expect([answer.status, answer.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(await objectFiles(service.data)).toEqual({ staged: [], permanent: [] });
};

describe.skipIf(isWindows)(`a real clamd${unless('programs of Linux')}`, () => {
  let clamd: Clamd;
  let service: RunningServer;
  beforeAll(async () => {
    clamd = await startClamd();
    service = await startServer({ config: { antivirus: { clamdSocket: clamd.socket } } });
  });
  afterAll(async () => {
    await service.stop();
    await clamd.remove();
  });

  it('finds a threat anywhere in the folder', async () => {
    const answer = await send(service, { 'a.txt': 'text', 'deep/inside/b.txt': EICAR });
    expect([answer.status, answer.problem.code]).toEqual([422, 'FOLDER_INFECTED']);
    expect(answer.problem.detail).toContain('Eicar-Test-Signature');
    expect(await objectFiles(service.data)).toEqual({ staged: [], permanent: [] });
  });

  it('lets a clean folder pass, and one whose threat is left out anyway', async () => {
    expect((await send(service, { 'a.txt': 'text', 'b.txt': 'x'.repeat(400_000) })).status).toBe(201);
    expect((await send(service, { 'a.txt': 'text', 'node_modules/b.txt': EICAR })).status).toBe(201);
  });
});

describe('an antivirus that is configured and gives no verdict: 503, and nothing is stored', () => {
  it('because it is not there', async () => {
    const service = await startServer({ config: { antivirus: { clamdSocket: '/nonexistent/clamd.sock' } } });
    await expectBusy(service);
    expect(service.logged.join('\n')).toContain('/nonexistent/clamd.sock');
    await service.stop();
  });

  itWith('programs of Linux')('because it was killed', async () => {
    const clamd = await startClamd();
    await clamd.kill();
    const service = await startServer({ config: { antivirus: { clamdSocket: clamd.socket } } });
    await expectBusy(service);
    await service.stop();
    await clamd.remove();
  });

  itWith('sockets and pipes among files')('because it hangs up, or answers with an error', async () => {
    for (const reply of ['', 'INSTREAM size limit exceeded. ERROR\0']) {
      const socket = join(tmpdir(), `linkshot-${process.pid}-${reply.length}.sock`);
      const fake: Server = createServer((connection) => connection.on('error', () => {}).end(reply)).listen(socket);
      const service = await startServer({ config: { antivirus: { clamdSocket: socket } } });
      await expectBusy(service);
      await service.stop();
      fake.close();
    }
  });
});
