/** `linkshot record` on a real X screen, against a real server: the link leads to the displayed content. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '../support/command-line.ts';
import { connectTo, until } from '../support/engine.ts';
import { openTestHost } from '../support/open-host.ts';
import { must } from '../support/results.ts';
import { inState, never, recordFor, request } from '../support/screen/recording-fixture.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { ask } from '../support/server/service-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-record');
let screen: XScreen;
let server: RunningServer;
let user: User;
beforeAll(async () => {
  screen = await openXScreen(400, 300);
  server = await startServer();
  user = await server.user({ plan: 'pro' });
});
afterAll(async () => {
  await screen.close();
  await server.stop();
});

const record = (words: readonly string[], input?: string, environment: Readonly<Record<string, string>> = {}) => {
  const profile = words.includes('--profile') ? [] : ['--profile', join(root, 'profile')];
  const connection = [...profile, '--server', server.url];
  return startCommand(
    ['record', '--region', '10,20,161,120', ...words, '--json', ...connection],
    { LINKSHOT_KEY: user.apiKey, DISPLAY: screen.display, ...environment },
    input,
  );
};

/** Whether a recording has so many bytes on disk. */
const isRecording = (bytes: number): boolean => {
  const dir = join(root, 'profile', 'recordings');
  const pieces = existsSync(dir) ? readdirSync(dir).map((id) => join(dir, id, '0.mp4')) : [];
  return pieces.some((path) => existsSync(path) && statSync(path).size >= bytes);
};

const contentOf = async (id: unknown) => {
  const { body } = await ask<Record<string, unknown>>(server.url, {
    path: `/api/v1/content/${id}`,
    key: user.apiKey,
  });
  return body;
};

describe('record', () => {
  it('ends after --seconds and prints the link of a video of that part, with the settings of its options', async () => {
    const settings = ['--visibility', 'private', '--views', '3', '--expires', '2h', '--downloads', 'forbidden'];
    const { code, stderr, json } = await record(['--seconds', '1', ...settings]).done;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [line] = json();
    expect(line).toMatchObject({
      url: expect.stringContaining('/s/'),
      name: expect.stringMatching(/^Recording .*\.mp4$/),
    });
    expect(await contentOf(line?.['id'])).toMatchObject({
      type: 'VIDEO',
      width: 160,
      height: 120,
      ...{ visibility: 'private', viewLimit: 3, allowDownload: false, expiresAt: expect.any(String) },
    });
  });

  it('ends at the first Ctrl+C, publishes the recorded part, and counts --expires from then', async () => {
    const running = record(['--expires', '2h']);
    await until(() => isRecording(20_000));
    const endedAt = Date.now();
    running.child.kill('SIGINT');
    const { code, json } = await running.done;
    expect(code).toBe(0);
    const content = await contentOf(json()[0]?.['id']);
    expect(content).toMatchObject({ type: 'VIDEO', width: 160, expiresAt: expect.any(String) });
    expect(Date.parse(String(content['expiresAt']))).toBeGreaterThanOrEqual(endedAt + 2 * 3_600_000);
  });

  it('that was killed is published by --waiting, but for three seconds at most', async () => {
    const running = record([]);
    await until(() => isRecording(20_000));
    running.child.kill('SIGKILL');
    await running.done;
    const { code, json } = await record(['--waiting']).done;
    expect(code).toBe(0);
    expect(await contentOf(json()[0]?.['id'])).toMatchObject({ type: 'VIDEO', width: 160, height: 120 });
    const none = await record(['--waiting']).done;
    expect(none.json()).toMatchObject([{ error: { code: 'CAPTURE_GONE' } }]);
  });

  it('of the app is published by --waiting with its options, also where recordings are not reviewed', async () => {
    const profile = join(root, 'interrupted-app');
    const { engine, close } = await openTestHost(profile, { environment: { ...process.env, ...screen.environment } });
    must(engine.settings.update({ reviewRecordings: false }));
    await engine.recording.start(request({ x: 0, y: 0, width: 160, height: 120 }), never);
    await recordFor(engine, 1_000);
    await close();
    const { code, json } = await record(['--waiting', '--password', 'secret1234', '--profile', profile]).done;
    expect(code).toBe(0);
    expect(await contentOf(json()[0]?.['id'])).toMatchObject({ type: 'VIDEO', passwordProtected: true });
  });

  it('that was discarded in the app publishes no other recording', async () => {
    const profile = join(root, 'running-app');
    const { engine } = await openTestHost(profile, { environment: { ...process.env, ...screen.environment } });
    await connectTo(engine, server.url, user.apiKey);
    const area = { x: 0, y: 0, width: 160, height: 120 };
    await engine.recording.start(request(area, { after: 'review' }), never);
    await recordFor(engine, 300);
    const waiting = must(await engine.recording.stop({}));
    const words = ['record', '--region', '10,20,161,120', '--profile', profile, '--server', server.url];
    const running = startCommand(words, { LINKSHOT_KEY: user.apiKey, DISPLAY: screen.display });
    let notes = '';
    running.child.stderr?.on('data', (text: Buffer) => {
      notes += String(text);
    });
    await until(() => notes.includes('Press Enter') || running.child.exitCode !== null);
    expect(notes).toContain('Press Enter');
    // The command, too, has now heard that it records.
    await new Promise<void>((resolve) => {
      const stop = engine.on((event) => {
        if (event.type !== 'state' || event.state.recording?.state !== 'recording') return;
        stop();
        resolve();
      });
    });
    await engine.recording.discard({ id: inState(engine, 'recording').id });
    const { code, stdout, stderr } = await running.done;
    expect(code).toBeGreaterThan(0);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining('The recording was discarded.') });
    expect(inState(engine, 'review')).toMatchObject(waiting);
    expect(engine.state().queue.items).toEqual([]);
  });

  it('with a camera that is not there says so at once, and records without it', async () => {
    const connection = ['--profile', join(root, 'profile'), '--server', server.url];
    const words = ['record', '--region', '10,20,161,120', '--camera', '--camera-corner', 'top-right', ...connection];
    const running = startCommand(words, { LINKSHOT_KEY: user.apiKey, DISPLAY: screen.display });
    let notes = '';
    running.child.stderr?.on('data', (text: Buffer) => {
      notes += String(text);
    });
    await until(() => notes.includes('No camera was found. The recording goes on without it.'));
    await until(() => isRecording(20_000));
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.done;
    expect(code).toBe(0);
    expect(stderr.match(/No camera was found/g)).toHaveLength(1);
    expect(stdout).toContain('/s/');
  });

  it('ends at a line on its input', async () => {
    const { code, stdout } = await record([], '\n').done;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('/s/') });
  });

  it.each([
    [['--screen'], 'Choose one of --region and --screen'],
    [['--seconds', 'soon'], 'number of seconds'],
    [['--sound', 'loud'], 'none, system, microphone, both'],
    [['--sound', 'microphone', '--seconds', '1'], 'cannot be recorded here'],
    [['--camera-corner', 'top-left'], 'Use --camera-corner with --camera'],
    [['--camera=', '--seconds', '1'], 'needs the name of a camera'],
  ])('with %s reports the error and records nothing', async (words, sentence) => {
    const { code, stdout } = await record(words).done;
    expect(code).toBeGreaterThan(0);
    expect(stdout).toContain(sentence);
  });

  it('records nothing with a setting that the plan does not have', async () => {
    const profile = join(root, 'free');
    const settings = ['--seconds', '1', '--views', '3', '--profile', profile];
    const { code, json } = await record(settings, undefined, { LINKSHOT_KEY: (await server.user()).apiKey }).done;
    expect({ code, json: json() }).toMatchObject({ code: 1, json: [{ error: { code: 'PLAN_FEATURE_REQUIRED' } }] });
    const waiting = await record(['--waiting', '--profile', profile]).done;
    expect(waiting.json()).toMatchObject([{ error: { code: 'CAPTURE_GONE' } }]);
  });

  it('without ffmpeg reports that recording needs it', async () => {
    const { stdout } = await record(['--seconds', '1'], undefined, { LINKSHOT_FFMPEG: '/nowhere' }).done;
    expect(stdout).toContain('Recording needs ffmpeg');
  });
});
