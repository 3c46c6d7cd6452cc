/** Help, completion and the reference page agree with the table; real shells run the completions. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import {
  bashCompletion,
  fishCompletion,
  powershellCompletion,
  zshCompletion,
} from '../../src/cli/help/completion-scripts.ts';
import { overview, page } from '../../src/cli/help/help-pages.ts';
import { referencePage } from '../../src/cli/help/reference-page.ts';
import { PLAIN, widthOf } from '../../src/cli/output/format.ts';
import { runCommand } from '../support/command-line.ts';
import { itWith } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-guide');
const run = promisify(execFile);
const script = (name: string, text: string): string => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};

describe('the help', () => {
  it('fits a terminal of 100 cells, and names every command once with its summary', () => {
    const lines = overview(COMMANDS, PLAIN).split('\n');
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(100);
    for (const { name, summary } of COMMANDS)
      expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(summary))).toHaveLength(1);
  });

  it.each(COMMANDS.map((one) => [one.name, one] as const))('tells all options and examples of %s', (_, one) => {
    const text = page(one, PLAIN);
    for (const name of Object.keys(one.options)) expect(text).toContain(`--${name}`);
    for (const { words } of one.examples) expect(text).toContain(`linkshot ${words}`);
    expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(100);
  });

  it('comes from `help`, from --help and as JSON, and has no colours outside a terminal', async () => {
    const [asked, flagged, json] = await Promise.all([
      runCommand(['help', 'folder']),
      runCommand(['folder', '--help']),
      runCommand(['help', '--json']),
    ]);
    expect([asked.code, flagged.code, json.code]).toEqual([0, 0, 0]);
    expect(asked.stdout).toBe(flagged.stdout);
    expect(asked.stdout).toContain('--dry-run');
    expect(asked.stdout).not.toContain('\x1b');
    expect(json.json().map(({ name }) => name)).toEqual(COMMANDS.map(({ name }) => name));
  });
});

describe('the reference page', () => {
  it('is current: node scripts/docs/command-line.ts', () => {
    expect(readFileSync(resolve(import.meta.dirname, '../../docs/command-line.md'), 'utf8')).toBe(
      referencePage(COMMANDS),
    );
  });
});

describe('completion', () => {
  const inBash = async (...words: readonly string[]): Promise<string[]> => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `source '${script('linkshot.bash', bashCompletion(COMMANDS))}'
      COMP_WORDS=(linkshot ${line}); COMP_CWORD=${words.length}; _linkshot; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['-c', ask], { cwd: root });
    return stdout.split('\n').filter(Boolean);
  };

  itWith('programs of Linux')(
    'of bash offers commands, options, values, actions and files in their places',
    async () => {
      writeFileSync(join(root, 'my shot.png'), '');
      expect(await inBash('up')).toEqual(['upload']);
      expect(await inBash('')).toEqual(COMMANDS.map(({ name }) => name));
      expect(await inBash('upload', '--vis')).toEqual(['--visibility']);
      expect(await inBash('upload', '--visibility', 'p')).toEqual(['private', 'public']);
      expect(await inBash('upload', '--ttl', 'day', 'my')).toEqual(['my shot.png']);
      expect(await inBash('--json', 'queue', 'p')).toEqual(['pause']);
      expect(await inBash('queue', 'pause', '')).toEqual([]);
      expect(await inBash('status', '--ti')).toEqual([]);
    },
  );

  itWith('programs of Linux')('of fish offers the same, with the summaries', async () => {
    const path = script('linkshot.fish', fishCompletion(COMMANDS));
    const asked = ['linkshot upl', 'linkshot upload --vis', 'linkshot upload --visibility p', 'linkshot queue pa'];
    const ask = asked.map((line) => `complete -C '${line}'; echo ==`).join('; ');
    const { stdout } = await run('fish', ['--no-config', '-c', `source '${path}'; ${ask}`], { cwd: root });
    const answers = stdout.split('==\n').map((answer) => answer.split('\n').filter(Boolean));
    expect(answers.slice(0, 4)).toEqual([
      [expect.stringMatching(/^upload\tupload files/)],
      [expect.stringMatching(/^--visibility\twho can open/)],
      [expect.stringMatching(/^private/), expect.stringMatching(/^public/)],
      [expect.stringMatching(/^pause/)],
    ]);
  });

  itWith('programs of Linux')('of zsh is taken by zsh, and registers itself', async () => {
    const path = script('linkshot.zsh', zshCompletion(COMMANDS));
    const ask = `autoload -Uz compinit && compinit -D -u; source '${path}'; print -r -- $_comps[linkshot]; whence -w _linkshot`;
    const { stdout } = await run('zsh', ['-f', '-c', ask], { cwd: root });
    expect(stdout.trim().split('\n')).toEqual(['_linkshot', '_linkshot: function']);
  });

  it.each([
    ['bash', bashCompletion],
    ['zsh', zshCompletion],
    ['fish', fishCompletion],
    ['powershell', powershellCompletion],
  ])('of %s covers every command and every option', (_, completion) => {
    const text = completion(COMMANDS);
    for (const { name, options } of COMMANDS) {
      expect(text).toContain(name);
      for (const option of Object.keys(options)) expect(text).toMatch(new RegExp(`(--|-l )${option}\\b`));
    }
  });

  itWith('programs of Linux')('is a script that its shell accepts', () => {
    const path = script('linkshot.bash', bashCompletion(COMMANDS));
    expect(spawnSync('bash', ['-n', path]).status).toBe(0);
    expect(spawnSync('zsh', ['-n', script('check.zsh', zshCompletion(COMMANDS))]).status).toBe(0);
  });
});
