/**
 * Parses `linkshot://` links. Any web page may open one, so a link only opens a screen of the app or starts the
 * selection of an area to capture. It publishes nothing and connects to nothing; a link in any other form is ignored.
 */
import type { MainScreen } from '../windows/main-window.ts';

export const LINK_SCHEME = 'linkshot';

/** `capture`: the frozen screen, on which the user selects or cancels. */
export type AppLink =
  | { readonly kind: 'capture'; readonly mode: 'region' }
  | { readonly kind: 'open'; readonly screen: Exclude<MainScreen, 'note'> };

/** Windows appends a `/` to the name. */
const LINKS: readonly (readonly [RegExp, AppLink])[] = [
  [/^linkshot:\/\/capture\/?\?mode=region$/, { kind: 'capture', mode: 'region' }],
  [/^linkshot:\/\/open\/home\/?$/, { kind: 'open', screen: 'home' }],
  [/^linkshot:\/\/open\/library\/?$/, { kind: 'open', screen: 'library' }],
  [/^linkshot:\/\/open\/settings\/?$/, { kind: 'open', screen: 'settings' }],
];

/** Whether a launch argument is meant as a link, valid or not. */
export const isLink = (word: string): boolean => word.toLowerCase().startsWith(`${LINK_SCHEME}:`);

/** The action of the link; null: unknown. */
export const readLink = (text: string): AppLink | null => LINKS.find(([form]) => form.test(text))?.[1] ?? null;
