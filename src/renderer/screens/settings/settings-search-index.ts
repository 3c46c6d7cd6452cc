/**
 * Finds settings for the settings search, by the name, the search words and the section name of each setting in every
 * language, and maps settings to their sections. Pure.
 */

import type { Messages } from '../../locales/en.ts';
import { hasWords, matchesQuery } from '../../locales/match-query.ts';
import type { Section } from '../../stores/router-store.ts';

export type SettingId = keyof Messages['settingsMore']['also'];

/** The section and name of each setting. The screen leaves out those that this host or account does not have. */
const SETTINGS: Readonly<Record<SettingId, readonly [Section, (t: Messages) => string]>> = {
  theme: ['general', (t) => t.settings.theme],
  language: ['general', (t) => t.settings.language],
  palette: ['general', (t) => t.settingsMore.palette.label],
  startAtLogin: ['general', (t) => t.captureSettings.startAtLogin],
  trayIcon: ['general', (t) => t.captureSettings.trayIcon],
  closeWithoutTray: ['general', (t) => t.captureSettings.closeWithoutTray],
  explorerMenu: ['general', (t) => t.captureSettings.explorerMenu],
  terminalCommand: ['general', (t) => t.captureSettings.terminalCommand],
  toast: ['general', (t) => t.captureSettings.toast],
  updates: ['general', (t) => t.settingsMore.updates.label],
  account: ['account', (t) => t.settings.account],
  connect: ['account', (t) => t.settings.connectTitle],
  atOnce: ['upload', (t) => t.settingsMore.upload.atOnce],
  copyLink: ['upload', (t) => t.settings.copyLink],
  visibility: ['upload', (t) => t.settings.visibility],
  linkFormat: ['upload', (t) => t.settingsMore.format.card],
  presets: ['presets', (t) => t.settingsMore.presets.card],
  askBeforeFit: ['video', (t) => t.fit.ask],
  fit: ['video', (t) => t.settingsMore.video.choice],
  captures: ['capture', (t) => t.captureSettings.card],
  afterCapture: ['capture', (t) => t.captureSettings.after],
  recording: ['recording', (t) => t.recording.settings.card],
  hotkeys: ['hotkeys', (t) => t.hotkeys.card],
  leaves: ['privacy', (t) => t.settingsMore.privacy.leaves],
  stays: ['privacy', (t) => t.settingsMore.privacy.stays],
  checkBeforeUpload: ['privacy', (t) => t.settingsMore.privacy.check.card],
  stripMetadata: ['privacy', (t) => t.fit.strip],
  findInPictures: ['privacy', (t) => t.settingsMore.privacy.find],
  history: ['privacy', (t) => t.settingsMore.privacy.history],
  lastRegion: ['privacy', (t) => t.settingsMore.privacy.lastRegion],
  serverStorage: ['storage', (t) => t.settingsMore.storage.server],
  localStorage: ['storage', (t) => t.settingsMore.storage.here],
  profile: ['advanced', (t) => t.settingsMore.advanced.profile],
  network: ['advanced', (t) => t.settingsMore.advanced.network],
  report: ['advanced', (t) => t.settingsMore.advanced.report],
  reset: ['advanced', (t) => t.settingsMore.advanced.reset],
  version: ['about', (t) => t.settings.about],
  beginning: ['about', (t) => t.settingsMore.about.beginning],
  shortcuts: ['about', (t) => t.settings.shortcuts],
  licences: ['about', (t) => t.settingsMore.about.licences],
};

export const SETTING_IDS = Object.keys(SETTINGS) as readonly SettingId[];

export const sectionOf = (id: SettingId): Section => SETTINGS[id][0];
export const nameOf = (id: SettingId, t: Messages): string => SETTINGS[id][1](t);

/** Settings that match in any of the catalogues, in screen order; empty for a query without words. */
export const findSettings = (typed: string, catalogues: readonly Messages[]): readonly SettingId[] =>
  !hasWords(typed)
    ? []
    : SETTING_IDS.filter((id) =>
        matchesQuery(
          typed,
          catalogues.flatMap((t) => [nameOf(id, t), t.settingsMore.also[id], t.settingsMore.section[sectionOf(id)]]),
        ),
      );
