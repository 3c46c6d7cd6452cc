/** `linkshot doctor`: runs the checks of `doctor-checks.ts` and prints each result, with advice unless it passes. */

import type { EngineClient } from '../client/engine-client.ts';
import { ownConnection } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { command } from '../command-definition.ts';
import { errorMessageOf } from '../error-messages.ts';
import type { Report } from '../output/command-output.ts';
import { columns } from '../output/format.ts';
import {
  type Check,
  checkAccount,
  checkDesktop,
  checkDisk,
  checkHotkeys,
  checkKeyStore,
  checkLog,
  checkProfile,
  checkQueue,
  checkService,
  checkSpool,
  checkText,
  checkVideo,
  fail,
  failedAccountCheck,
} from './doctor-checks.ts';

export const doctor = command({
  name: 'doctor',
  summary: 'check the installation, and suggest fixes',
  group: 'Linkshot itself',
  arguments: [],
  options: {},
  description: [
    'Checks the disk, the key store, ffmpeg with its encoders, the languages for reading text in images, a Wayland desktop with its portals, the profile with its queue and files, the hotkeys of a running app, the service, the clock and the account. Nothing is changed or uploaded.',
  ],
  json: [
    '{"check","state","message","advice"} for each; "state" is ok, warn or fail, and "check" is disk, key-store, video, text, desktop, profile, hotkeys, log, queue, spool, service, clock or account.',
    'The exit code is 1 if a check fails; warnings do not count.',
  ],
  examples: [{ words: 'doctor', does: 'when something does not work' }],
  run: async (_, context, signal) => {
    const { report, profileDir, platform, environment } = context;
    const rows: Check[] = [];
    for await (const check of checks(context, signal)) rows.push(check);
    print(report, rows);
    if (rows.some(({ state }) => state === 'fail')) report.markFailed();

    async function* checks(around: CommandContext, end: AbortSignal): AsyncGenerator<Check> {
      yield await checkDisk(profileDir);
      yield await checkKeyStore(platform);
      yield await checkVideo(environment, end);
      yield await checkText(around);
      yield* await checkDesktop(environment, end);
      const opened = await around.openClient('given', end);
      if (!opened.ok) {
        yield fail(
          'profile',
          errorMessageOf(opened.error, 'nothing'),
          'Until this is fixed, nothing can be saved or sent.',
        );
        yield* await checkService(around.server, end);
        return;
      }
      const client = opened.value;
      try {
        yield checkProfile(client, profileDir);
        yield* checkHotkeys(client);
        yield await checkLog(profileDir);
        yield checkQueue(client);
        yield await checkSpool(client);
        const { connection } = client.state();
        const server = around.server ?? (connection.state === 'none' ? undefined : connection.server);
        const [service, ...more] = await checkService(server, end);
        if (service) yield service;
        yield* more;
        if (service?.state === 'ok') yield await accountAt(client, around, end);
      } finally {
        await client.close();
      }
    }
  },
});

const accountAt = async (
  client: EngineClient,
  { contact, server }: CommandContext,
  signal: AbortSignal,
): Promise<Check> => {
  const connected = contact ? await client.connect(contact, signal) : ownConnection(client, server);
  return connected.ok ? checkAccount(client) : failedAccountCheck(connected.error);
};

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;

const print = (report: Report, checks: readonly Check[]): void => {
  const { style } = report;
  const paint = { ok: style.good, warn: style.warn, fail: style.bad } as const;
  const lines = columns(
    checks.map(({ check, state, message }) => [`${paint[state](MARKS[state])} ${style.bold(check)}`, message]),
  );
  for (const [index, check] of checks.entries()) {
    report.say(check, lines[index] ?? null);
    if (check.advice !== null) report.text(`  ${style.dim('→')} ${check.advice}`);
  }
};
