/** Export actions: those in the settings, and valid link settings. */
import { expect, it } from 'vitest';
import { plannedLink, resolvedShare } from '../../../src/renderer/components/links/unpublished-link-settings.ts';
import { defaultAfterCapture } from '../../../src/renderer/editor/export-actions.ts';
import { makeState } from '../../support/window/app-state.ts';

const { settings } = makeState();

it('follows the settings, and publishes where they contain nothing else', () => {
  const afterCapture = { publish: false, copyPicture: true, save: true };
  expect(defaultAfterCapture(makeState({ settings: { ...settings, afterCapture } }))).toEqual(afterCapture);
  const nothing = { publish: false, copyPicture: false, save: false };
  expect(defaultAfterCapture(makeState({ settings: { ...settings, afterCapture: nothing } })).publish).toBe(true);
});

it('shows the link of the preset for new items, overridden by the user’s choice', () => {
  const preset = { id: 'p', name: 'Short', link: { visibility: 'private', ttl: 'day' } } as const;
  const state = makeState({ settings: { ...settings, presets: [preset], defaultPreset: 'p' } });
  expect(plannedLink(makeState(), {})).toMatchObject({ visibility: 'unlisted', ttl: 'forever', oneTime: false });
  expect(plannedLink(state, {})).toMatchObject({ visibility: 'private', ttl: 'day' });
  expect(plannedLink(state, { ttl: 'week' })).toMatchObject({ visibility: 'private', ttl: 'week' });
  const once = { id: 'o', name: 'Once', link: { oneTime: true } } as const;
  const open = makeState({ settings: { ...settings, presets: [once], defaultPreset: 'o' } });
  const effective = { ...open.effective, visibility: 'public' } as const;
  expect(plannedLink({ ...open, effective }, {})).toMatchObject({ visibility: 'unlisted', oneTime: true });
  // As the engine adds it: the user's choice comes after the preset's.
  expect(plannedLink(open, { visibility: 'public' })).toMatchObject({ visibility: 'public', oneTime: false });
});

it('never asks for a public link that opens only once, whichever was chosen last', () => {
  const planned = plannedLink(makeState(), {});
  expect(resolvedShare({ visibility: 'public' }, { oneTime: true }, planned)).toEqual({
    visibility: 'unlisted',
    oneTime: true,
  });
  expect(resolvedShare({ oneTime: true }, { visibility: 'public' }, planned)).toEqual({
    visibility: 'public',
    oneTime: false,
  });
  const preset = { ...planned, oneTime: true };
  expect(resolvedShare({}, { visibility: 'public' }, preset)).toEqual({ visibility: 'public', oneTime: false });
});
