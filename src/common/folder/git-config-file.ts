/** Parses a configuration file of git. */

export interface GitSetting {
  readonly section: string;
  /** The name in quotes after the section, as written; null without one. */
  readonly subsection: string | null;
  readonly key: string;
  readonly value: string;
}

/** Escape sequences of a quoted value. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Parses a value as git does: removes quotes, resolves escapes, drops a trailing comment and trailing spaces. */
const readValue = (text: string): string => {
  let value = '';
  /** Length without trailing spaces. */
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      at += 1;
      const escaped = text[at] ?? '';
      value += ESCAPES[escaped] ?? escaped;
      kept = value.length;
    } else if (!isQuoted && (char === '#' || char === ';')) break;
    else {
      value += char;
      if (isQuoted || !/\s/.test(char)) kept = value.length;
    }
  }
  return value.slice(0, kept);
};

const HEADER = /^\s*\[([^\]"\s]+)(?:\s*"((?:[^"\\]|\\.)*)")?\s*\](.*)$/s;
const SETTING = /^\s*([a-z][a-z0-9-]*)\s*(?:=(.*))?$/is;

/** Whether a value means true. */
export const isTrue = (value: string | undefined): boolean => /^(true|yes|on|1)$/i.test(value ?? '');

/** The settings of a file, in order. Section and key are in lower case; a key without a value means true. */
export const settingsOf = (config: string): readonly GitSetting[] => {
  const settings: GitSetting[] = [];
  let section = '';
  let subsection: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const header = HEADER.exec(line);
    if (header) {
      section = (header[1] ?? '').toLowerCase();
      subsection = header[2]?.replace(/\\(.)/g, '$1') ?? null;
    }
    const setting = SETTING.exec(header?.[3] ?? line);
    const key = setting?.[1]?.toLowerCase();
    if (key !== undefined)
      settings.push({ section, subsection, key, value: readValue(setting?.[2]?.trimStart() ?? 'true') });
  }
  return settings;
};
