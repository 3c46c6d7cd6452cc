/**
 * `linkshot://` links. Promise: any page may open one, so a link shows something and no more. It publishes nothing,
 * connects to nothing, and what is not exactly one of these is nothing.
 */
import type { MainScreen } from '../windows/main-window.ts';

export const LINK_SCHEME = 'linkshot';

/** `capture`: the frozen screen, on which the person chooses or gives up. */
export type AppLink =
  | { readonly kind: 'capture'; readonly mode: 'region' }
  | { readonly kind: 'open'; readonly screen: MainScreen };

/** Windows puts a `/` behind the name. */
const LINKS: readonly (readonly [RegExp, AppLink])[] = [
  [/^linkshot:\/\/capture\/?\?mode=region$/, { kind: 'capture', mode: 'region' }],
  [/^linkshot:\/\/open\/home\/?$/, { kind: 'open', screen: 'home' }],
  [/^linkshot:\/\/open\/library\/?$/, { kind: 'open', screen: 'library' }],
  [/^linkshot:\/\/open\/settings\/?$/, { kind: 'open', screen: 'settings' }],
];

/** Whether a word of a start is meant as a link, be it a good one or not. */
export const isLink = (word: string): boolean => word.toLowerCase().startsWith(`${LINK_SCHEME}:`);

/** What the link asks for; null: nothing that we know. */
export const readLink = (text: string): AppLink | null => LINKS.find(([form]) => form.test(text))?.[1] ?? null;
