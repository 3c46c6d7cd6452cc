/**
 * Builds the diagnostics report for support requests, in English. It contains only numbers, codes, fixed words and the
 * chosen hotkeys: no API keys, names, addresses or paths.
 */
import { release } from 'node:os';
import type { ProfileUsage } from '../../ipc/protocol/commands/local-data.ts';
import { DEFAULT_SETTINGS, Settings } from '../../ipc/protocol/settings.ts';
import type { EngineState } from '../engine-interface.ts';

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const canHoldFreeText = (schema: Schema): boolean =>
  schema.type === 'string'
    ? !('const' in schema || 'enum' in schema)
    : [
        ...(schema.anyOf ?? []),
        ...Object.values(schema.properties ?? {}),
        ...(schema.items === undefined ? [] : [schema.items]),
      ].some(canHoldFreeText);

/** Of a setting with free text, the report says only that it was changed. */
const isPrinted = (name: keyof Settings): boolean =>
  name === 'hotkeys' || !canHoldFreeText(Settings.properties[name] as Schema);

export interface ReportInput {
  readonly state: EngineState;
  readonly parts: ProfileUsage['parts'];
  readonly platform: string;
}

const isDefault = (name: keyof Settings, settings: Settings): boolean =>
  JSON.stringify(settings[name]) === JSON.stringify(DEFAULT_SETTINGS[name]);

const settingsOf = (settings: Settings): readonly string[] =>
  (Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[])
    .filter((name) => !isDefault(name, settings))
    .map((name) => `  ${name}: ${isPrinted(name) ? JSON.stringify(settings[name]) : '(changed)'}`);

/** Counts the occurrences of each word. */
const tally = (words: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`).join(', ') || 'none';
};

const connectionOf = ({ connection, accounts }: EngineState): readonly string[] => {
  const protocol = connection.state === 'none' ? '' : `, ${URL.parse(connection.server)?.protocol ?? ''}`;
  const keyPlace = connection.state === 'connected' ? `, key: ${connection.keyPlace}` : '';
  const failure = connection.state === 'failed' ? `, ${connection.failure.code}` : '';
  const account = connection.state === 'none' ? null : connection.account;
  return [
    `Connection: ${connection.state}${protocol}${keyPlace}${failure}; accounts: ${accounts.length}`,
    ...(account
      ? [
          `Plan: ${account.user.plan?.code ?? 'free'}; storage: ${account.user.storageUsed} of ${account.user.quotaBytes} bytes`,
          `Limits: ${account.limits.maxImageBytes} image, ${account.limits.maxVideoBytes} video, ${account.limits.uploadsAtOnce} at once`,
        ]
      : []),
  ];
};

export const reportOf = ({ state, parts, platform }: ReportInput): string => {
  const { queue, hotkeys, settings, notices } = state;
  const { node, electron, chrome } = process.versions;
  const engine = electron === undefined ? `Node ${node}` : `Electron ${electron}, Chromium ${chrome}`;
  const errors = queue.items.flatMap(({ error }) => (error ? [error.failure.code] : []));
  return [
    `Linkshot ${state.version}`,
    `System: ${platform} ${release()} ${process.arch}; ${engine}`,
    ...connectionOf(state),
    `Queue: ${tally(queue.items.map((item) => item.state))}${queue.paused ? '; paused' : ''}`,
    `Errors: ${tally(errors)}`,
    `Notices: ${tally(notices.map(({ code }) => code))}`,
    `Hotkeys: ${hotkeys.way}; ${tally(hotkeys.keys.map((key) => key.state))}`,
    'On disk, in bytes:',
    ...Object.entries(parts).map(([part, { bytes, files }]) => `  ${part}: ${bytes} in ${files} files`),
    'Settings that differ from the defaults:',
    ...settingsOf(settings),
  ].join('\n');
};
