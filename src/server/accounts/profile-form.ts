/**
 * Reads the form in which users edit their name, bio, palette, capture hotkey and switches (API document, "user").
 * `readProfile` returns the profile and the list of its invalid fields. `shownHotkey` formats a stored hotkey for
 * display.
 */
import { LIMITS } from '../../api/limits.ts';
import { PALETTES } from '../../api/page-palettes.ts';
import type { Profile } from './accounts.ts';

export type ProfileFault = 'name' | 'bio' | 'palette' | 'captureHotkey';

const SWITCHES = ['copyLink', 'privateByDefault', 'unlistedPreviews', 'previewAuthor'] as const;

const codePoints = (text: string): number => [...text].length;

/** One line: control characters become spaces. */
const line = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

/** As apps read it: one name for Ctrl, and for Cmd on a Mac. */
const ANY_COMMAND = 'CommandOrControl';
const storedHotkey = (typed: string): string => typed.replace(/\b(?:ctrl|cmd)\b|⌘/gi, ANY_COMMAND);
/** As it is written on keyboards; on a Mac, Ctrl means ⌘. */
export const shownHotkey = (stored: string): string => stored.replaceAll(ANY_COMMAND, 'Ctrl');

/** The profile from a form's fields, where a switch that is off is absent; with the problem, if any. */
export const readProfile = (form: URLSearchParams): { readonly profile: Profile; readonly faults: ProfileFault[] } => {
  const field = (name: string): string => form.get(name) ?? '';
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, form.has(name) ? 1 : 0])) as Pick<
    Profile,
    (typeof SWITCHES)[number]
  >;
  const profile: Profile = {
    ...switches,
    name: line(field('name')),
    // Browsers send line breaks as two characters; users count one.
    bio: field('bio').toWellFormed().replaceAll('\r\n', '\n').trim(),
    palette: field('palette'),
    captureHotkey: storedHotkey(line(field('captureHotkey'))),
  };
  const isFaulty: Readonly<Record<ProfileFault, boolean>> = {
    name: profile.name === '' || codePoints(profile.name) > LIMITS.nameMaxCharacters,
    bio: codePoints(profile.bio) > LIMITS.bioMaxCharacters,
    palette: !PALETTES.some((known) => known === profile.palette),
    captureHotkey:
      profile.captureHotkey === '' || codePoints(profile.captureHotkey) > LIMITS.captureHotkeyMaxCharacters,
  };
  const faults = (Object.keys(isFaulty) as ProfileFault[]).filter((name) => isFaulty[name]);
  return { profile, faults };
};
