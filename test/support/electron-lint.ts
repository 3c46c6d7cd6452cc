/**
 * Reads the sources of the Electron host and answers what is unsafe in them. Promise: every window, every channel and
 * every door of Electron that the rules name is seen, wherever in the files it stands.
 */
import { type Module, parseSync } from '@swc/core';

export interface SourceText {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A node with the functions that it stands in, the innermost last. */
interface Seen {
  readonly node: Node;
  readonly within: readonly Node[];
}

interface Source extends SourceText {
  readonly seen: readonly Seen[];
}

type Rule = (source: Source) => readonly string[];

/** The only place that makes windows, and the only one that answers pages. */
const WINDOW_MAKER = 'src/main/windows/safe-window.ts';
const CHANNELS = 'src/main/ipc.ts';
const OPENER = 'src/main/ports/opener.ts';

const SAFE = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
};
/** What else may be said of a page. Everything that is not named here is refused, today's switches and tomorrow's. */
const HARMLESS = new Set(['preload', 'backgroundThrottling']);
const WINDOWS = new Set(['BrowserWindow', 'BaseWindow', 'BrowserView', 'WebContentsView', 'View']);
const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodProperty',
  'ClassMethod',
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const collect = (value: unknown, within: readonly Node[], into: Seen[]): void => {
  if (Array.isArray(value)) for (const entry of value) collect(entry, within, into);
  else if (typeof value === 'object' && value !== null) {
    const inner = isNode(value) && FUNCTIONS.has(value.type) ? [...within, value] : within;
    if (isNode(value)) into.push({ node: value, within });
    for (const entry of Object.values(value)) collect(entry, inner, into);
  }
};

const nodesIn = (value: unknown): Node[] => {
  const seen: Seen[] = [];
  collect(value, [], seen);
  return seen.map(({ node }) => node);
};

/** `a.b.c` of an expression; empty where it is something else. */
const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['value']);
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'OptionalChainingExpression') return nameOf(node['base']);
  if (node.type !== 'MemberExpression') return '';
  const property = node['property'] as Node;
  // `shell['openExternal']` is the same as `shell.openExternal`.
  const key = property.type === 'Computed' ? (property['expression'] as Node)['value'] : property['value'];
  return `${nameOf(node['object'])}.${String(key)}`;
};

interface Call {
  readonly name: string;
  readonly args: readonly Node[];
  readonly within: readonly Node[];
}

const callOf = ({ node, within }: Seen): Call[] => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
  const args = ((node['arguments'] ?? []) as readonly { readonly expression: Node }[]).map(
    ({ expression }) => expression,
  );
  return [{ name: nameOf(node['callee']), args, within }];
};

const callsIn = (source: Source): Call[] => source.seen.flatMap(callOf);
const endsWith = (name: string, method: string): boolean => name === method || name.endsWith(`.${method}`);

type Property = { readonly name: string; readonly value: Node };

/** The properties of an object as it is written; null where one of them cannot be read here. */
const propertiesOf = (object: Node | undefined): Property[] | null => {
  if (object?.type !== 'ObjectExpression') return null;
  const properties: Property[] = [];
  for (const each of object['properties'] as readonly Node[]) {
    const key = each['key'] as Node | undefined;
    if (each.type !== 'KeyValueProperty' || !key || key.type === 'Computed') return null;
    properties.push({ name: String(key['value']), value: each['value'] as Node });
  }
  return properties;
};

const windowsAreSafe: Rule = (source) => {
  const made = source.seen.filter(
    ({ node }) => node.type === 'NewExpression' && WINDOWS.has(nameOf(node['callee']).split('.').at(-1) ?? ''),
  );
  if (made.length > 0 && source.path !== WINDOW_MAKER) return [`a window that is not made in ${WINDOW_MAKER}`];
  return made.flatMap((window) => [...preferencesOf(window), ...bordersOf(window)]);
};

const preferencesOf = (window: Seen): string[] => {
  const [options] = callOf(window)[0]?.args ?? [];
  const last = (options?.['properties'] as readonly Node[] | undefined)?.at(-1);
  // What comes behind could replace it.
  if (last?.type !== 'KeyValueProperty' || (last['key'] as Node)['value'] !== 'webPreferences')
    return ['a window whose last option is not webPreferences'];
  const preferences = propertiesOf(last['value'] as Node);
  if (!preferences) return ['webPreferences that are not written out'];
  const wrong = Object.entries(SAFE).flatMap(([name, wanted]) => {
    const { value } = preferences.find((each) => each.name === name) ?? {};
    return value?.type === 'BooleanLiteral' && value['value'] === wanted ? [] : [`a window without ${name}: ${wanted}`];
  });
  const unknown = preferences.flatMap(({ name }) =>
    name in SAFE || HARMLESS.has(name) ? [] : [`webPreferences.${name}`],
  );
  return [...wrong, ...unknown];
};

/** Whether a function refuses: `({ action: 'deny' })`, `preventDefault()`. */
const denies = (handler: Node | undefined): boolean =>
  handler !== undefined &&
  nodesIn(handler).every((node) => node.type !== 'StringLiteral' || node['value'] !== 'allow') &&
  nodesIn(handler).some((node) => node.type === 'StringLiteral' && node['value'] === 'deny');
const prevents = (handler: Node | undefined): boolean =>
  handler !== undefined && nodesIn(handler).some((node) => endsWith(nameOf(node['callee']), 'preventDefault'));

const bordersOf = ({ within }: Seen): string[] => {
  const maker = within.at(-1);
  const calls = nodesIn(maker).flatMap((node) => callOf({ node, within: [] }));
  const hears = (event: string): boolean =>
    calls.some(
      ({ name, args: [first, second] }) => endsWith(name, 'on') && first?.['value'] === event && prevents(second),
    );
  const says = (method: string): Call | undefined => calls.find(({ name }) => endsWith(name, method));
  return [
    ...(denies(says('setWindowOpenHandler')?.args[0]) ? [] : ['a window that may open others']),
    ...(hears('will-navigate') ? [] : ['a window that can be led away']),
    ...(hears('will-attach-webview') ? [] : ['a window that may hold a webview']),
    ...(says('setPermissionRequestHandler') ? [] : ['a window whose permissions are not asked for']),
    ...(says('setPermissionCheckHandler') ? [] : ['a window whose permissions are not checked']),
  ];
};

/** The names that a function reads, wherever in it. */
const readsAll = (handler: Node | undefined, names: readonly string[]): boolean => {
  const read = new Set(nodesIn(handler).map((node) => String(node['value'] ?? '')));
  return names.every((name) => read.has(name));
};

const LISTENERS = /^(ipcMain|.*\.ipc)\.(handle|handleOnce|on|once|addListener)$/;

const sendersAreChecked: Rule = (source) =>
  callsIn(source).flatMap(({ name, args }) => {
    if (!LISTENERS.test(name)) return [];
    if (source.path !== CHANNELS) return [`a channel outside of ${CHANNELS}`];
    // The frame must be the main one, and show a page of ours.
    const isChecked = readsAll(args[1], ['senderFrame', 'parent', 'pageAt']);
    return isChecked ? [] : [`${name} without a check of the sender`];
  });

/** Doors of Electron with the one file that may open each; null: nobody. */
const DOORS: readonly (readonly [RegExp, string | null])[] = [
  [/(^|\.)openExternal$/, OPENER],
  [/(^|\.)openPath$/, null],
  [/(^|\.)executeJavaScript(InIsolatedWorld)?$/, null],
  [/(^|\.)loadFile$/, null],
  [/(^|\.)(register|intercept)(File|Http|Buffer|String|Stream)Protocol$/, null],
  [/(^|\.)setCertificateVerifyProc$/, null],
  [/(^|\.)setPreloads$/, null],
  [/(^|\.)registerPreloadScript$/, null],
  [/(^|\.)openDevTools$/, null],
  [/(^|\.)setDisplayMediaRequestHandler$/, null],
  [/^(eval|Function)$/, null],
];

const doorsAreClosed: Rule = (source) =>
  callsIn(source).flatMap(({ name }) =>
    DOORS.flatMap(([door, owner]) => (door.test(name) && source.path !== owner ? [`${name} here`] : [])),
  );

/** Switches of Chromium that may be set: what hears hotkeys on Wayland. */
const SWITCHES = new Set(['enable-features=GlobalShortcutsPortal']);

const switchesAreHarmless: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [key, value] }) =>
    endsWith(name, 'appendSwitch') && !SWITCHES.has(`${key?.['value']}=${value?.['value']}`)
      ? [`the switch ${key?.['value']}`]
      : [],
  );

const pagesAreOurs: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [address] }) => {
    if (!endsWith(name, 'loadURL')) return [];
    const isOwn =
      nameOf(address?.['callee']) === 'pageAddress' ||
      // A name for it, made in the same file.
      (address?.type === 'Identifier' && isMadeBy(source, String(address['value']), 'pageAddress'));
    return isOwn ? [] : ['loadURL of something else than pageAddress(…)'];
  });

const isMadeBy = ({ seen }: Source, variable: string, maker: string): boolean => {
  const made = seen.filter(({ node }) => node.type === 'VariableDeclarator' && nameOf(node['id']) === variable);
  return made.length > 0 && made.every(({ node }) => nameOf((node['init'] as Node)?.['callee']) === maker);
};

const PRIVILEGED = new Set(['bypassCSP', 'allowServiceWorkers', 'corsEnabled', 'allowExtensions']);

const schemesAreModest: Rule = ({ seen }) =>
  seen.flatMap(({ node }) => {
    const key = node.type === 'KeyValueProperty' ? String((node['key'] as Node)['value']) : '';
    return PRIVILEGED.has(key) && (node['value'] as Node)['value'] !== false ? [`the privilege ${key}`] : [];
  });

const eventsAreHarmless: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [event] }) =>
    endsWith(name, 'on') &&
    ['certificate-error', 'select-client-certificate', 'login'].includes(String(event?.['value']))
      ? [`the event ${String(event?.['value'])}`]
      : [],
  );

const importsAreHarmless: Rule = ({ seen }) =>
  seen.flatMap(({ node }) =>
    node.type === 'ImportDeclaration' && String((node['source'] as Node)['value']).startsWith('@electron/remote')
      ? ['the remote module']
      : [],
  );

/** Only what the preload builds itself goes to the page, never a part of Electron. */
const bridgeIsNarrow: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [key, api] }) => {
    if (!/(^|\.)exposeIn(MainWorld|IsolatedWorld)$/.test(name)) return [];
    const given =
      api?.type === 'Identifier'
        ? source.seen.find(({ node }) => node.type === 'VariableDeclarator' && nameOf(node['id']) === api['value'])
            ?.node['init']
        : api;
    const properties = propertiesOf(given as Node | undefined);
    const isNarrow = key?.['value'] === 'linkshot' && properties?.every(({ value }) => FUNCTIONS.has(value.type));
    return isNarrow ? [] : ['something else than functions of our own for the page'];
  });

const RULES: readonly Rule[] = [
  windowsAreSafe,
  sendersAreChecked,
  doorsAreClosed,
  switchesAreHarmless,
  pagesAreOurs,
  schemesAreModest,
  eventsAreHarmless,
  importsAreHarmless,
  bridgeIsNarrow,
];

/** What is unsafe, each as `path: what`; empty: nothing. */
export const unsafeIn = (sources: readonly SourceText[]): string[] =>
  sources.flatMap((source) => {
    const body: Module = parseSync(source.text, { syntax: 'typescript', target: 'es2024' });
    const seen: Seen[] = [];
    collect(body.body, [], seen);
    return RULES.flatMap((rule) => rule({ ...source, seen }).map((what) => `${source.path}: ${what}`));
  });

/** How many windows and channels the rules have looked at; a rule that sees nothing proves nothing. */
export const countIn = (sources: readonly SourceText[]): { readonly windows: number; readonly channels: number } => {
  const calls = sources.flatMap(({ path, text }) => {
    const seen: Seen[] = [];
    collect(parseSync(text, { syntax: 'typescript', target: 'es2024' }).body, [], seen);
    return callsIn({ path, text, seen });
  });
  return {
    windows: calls.filter(({ name }) => WINDOWS.has(name.split('.').at(-1) ?? '')).length,
    channels: calls.filter(({ name }) => LISTENERS.test(name)).length,
  };
};
