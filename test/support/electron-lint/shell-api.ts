/** Lint rules for Electron's APIs: channels, system programs, protocols, switches, and what a page gets. */
import { callsIn, endsWith, FUNCTIONS, type Node, nameOf, nodesIn, propertiesOf, type Rule } from './syntax.ts';

/** The only modules that answer pages, and that open something in the browser or in the file manager. */
const CHANNELS = 'src/main/ipc.ts';
const OPENER = 'src/main/adapters/browser-opener.ts';
const FOLDERS = 'src/main/adapters/folder-dialogs.ts';

/** Whether a function reads all these names, anywhere in it. */
const readsAll = (handler: Node | undefined, names: readonly string[]): boolean => {
  const read = new Set(nodesIn(handler).map((node) => String(node['value'] ?? '')));
  return names.every((name) => read.has(name));
};

export const LISTENERS = /(^|\.)(ipcMain|ipc)\.(handle|handleOnce|on|once|addListener)$/;

export const sendersAreChecked: Rule = (source) =>
  callsIn(source).flatMap(({ name, args }) => {
    if (!LISTENERS.test(name)) return [];
    if (source.path !== CHANNELS) return [`a channel outside of ${CHANNELS}`];
    // The frame must be the main one, and show one of our pages.
    const isChecked = readsAll(args[1], ['senderFrame', 'parent', 'pageAt']);
    return isChecked ? [] : [`${name} without a check of the sender`];
  });

/** Electron APIs with the one file that may use each; null: forbidden. */
const DOORS: readonly (readonly [RegExp, string | null])[] = [
  [/(^|\.)openExternal$/, OPENER],
  [/(^|\.)openPath$/, FOLDERS],
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

export const entryPointsAreClosed: Rule = (source) =>
  callsIn(source).flatMap(({ name }) =>
    DOORS.flatMap(([door, owner]) => (door.test(name) && source.path !== owner ? [`${name} here`] : [])),
  );

/** Permitted Chromium switches: hotkeys on Wayland. */
const SWITCHES = new Set(['enable-features=GlobalShortcutsPortal']);

export const switchesAreHarmless: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [key, value] }) =>
    endsWith(name, 'appendSwitch') && !SWITCHES.has(`${key?.['value']}=${value?.['value']}`)
      ? [`the switch ${key?.['value']}`]
      : [],
  );

const PRIVILEGED = new Set(['bypassCSP', 'allowServiceWorkers', 'corsEnabled', 'allowExtensions']);

export const schemesAreModest: Rule = ({ seen }) =>
  seen.flatMap(({ node }) => {
    const key = node.type === 'KeyValueProperty' ? String((node['key'] as Node)['value']) : '';
    return PRIVILEGED.has(key) && (node['value'] as Node)['value'] !== false ? [`the privilege ${key}`] : [];
  });

export const eventsAreHarmless: Rule = (source) =>
  callsIn(source).flatMap(({ name, args: [event] }) =>
    endsWith(name, 'on') &&
    ['certificate-error', 'select-client-certificate', 'login'].includes(String(event?.['value']))
      ? [`the event ${String(event?.['value'])}`]
      : [],
  );

/** Names by which the rules recognise windows and channels. */
const WATCHED = new Set([
  'BrowserWindow',
  'BaseWindow',
  'BrowserView',
  'WebContentsView',
  'ipcMain',
  'shell',
  'contextBridge',
  'protocol',
]);

/** The rules would not see a renamed import. */
export const namesAreKept: Rule = ({ seen }) =>
  seen.flatMap(({ node }) => {
    switch (node.type) {
      case 'ImportDeclaration': {
        // Types do not exist at run time.
        if (String((node['source'] as Node)['value']) !== 'electron' || node['typeOnly'] === true) return [];
        const specifiers = node['specifiers'] as readonly Node[];
        return specifiers.flatMap(({ imported, type }) =>
          type !== 'ImportSpecifier'
            ? ['electron as a whole']
            : imported
              ? [`electron's ${nameOf(imported)} by another name`]
              : [],
        );
      }
      case 'VariableDeclarator':
        return WATCHED.has(nameOf(node['init'])) ? [`${nameOf(node['init'])} by another name`] : [];
      case 'CallExpression': {
        const [argument] = node['arguments'] as readonly { readonly expression: Node }[];
        const isElectron = argument?.expression['value'] === 'electron';
        const isImport = (node['callee'] as Node).type === 'Import' || /(^|\.)require$/.test(nameOf(node['callee']));
        return isElectron && isImport ? ['electron loaded on the way'] : [];
      }
      default:
        return [];
    }
  });

export const importsAreHarmless: Rule = ({ seen }) =>
  seen.flatMap(({ node }) =>
    node.type === 'ImportDeclaration' && String((node['source'] as Node)['value']).startsWith('@electron/remote')
      ? ['the remote module']
      : [],
  );

/** Only objects that the preload builds itself are exposed to the page, never a part of Electron. */
export const bridgeIsNarrow: Rule = (source) =>
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
