/** Lint rules for windows: created in one module, isolated and sandboxed there, and confined to our own pages. */
import {
  type Call,
  callOf,
  callsIn,
  endsWith,
  type Node,
  nameOf,
  nodesIn,
  propertiesOf,
  type Rule,
  type Seen,
  type Source,
} from './syntax.ts';

/** The only module that creates windows. */
const WINDOW_MAKER = 'src/main/windows/safe-window.ts';

const SAFE = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
};
/** Other permitted options of a page. Unlisted ones are refused, including future ones. */
const HARMLESS = new Set(['preload', 'backgroundThrottling']);
export const WINDOWS = new Set(['BrowserWindow', 'BaseWindow', 'BrowserView', 'WebContentsView', 'View']);

export const windowsAreSafe: Rule = (source) => {
  const made = source.seen.filter(
    ({ node }) => node.type === 'NewExpression' && WINDOWS.has(nameOf(node['callee']).split('.').at(-1) ?? ''),
  );
  if (made.length > 0 && source.path !== WINDOW_MAKER) return [`a window that is not made in ${WINDOW_MAKER}`];
  return made.flatMap((window) => [...preferencesOf(window), ...bordersOf(window)]);
};

const preferencesOf = (window: Seen): string[] => {
  const [options] = callOf(window)[0]?.args ?? [];
  const last = (options?.['properties'] as readonly Node[] | undefined)?.at(-1);
  // A later property could override it.
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

export const pagesAreOurs: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [address] }) => {
    if (!endsWith(name, 'loadURL')) return [];
    const isOwn =
      nameOf(address?.['callee']) === 'pageAddress' ||
      // A constant for it, defined in the same file.
      (address?.type === 'Identifier' && isMadeBy(source, String(address['value']), 'pageAddress'));
    return isOwn ? [] : ['loadURL of something else than pageAddress(…)'];
  });

const isMadeBy = ({ seen }: Source, variable: string, maker: string): boolean => {
  const made = seen.filter(({ node }) => node.type === 'VariableDeclarator' && nameOf(node['id']) === variable);
  return made.length > 0 && made.every(({ node }) => nameOf((node['init'] as Node)?.['callee']) === maker);
};
