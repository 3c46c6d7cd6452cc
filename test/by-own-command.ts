type Command =
  | 'test:archives'
  | 'test:desktops'
  | 'test:fairness'
  | 'test:nodes'
  | 'test:packed'
  | 'test:recording-kill'
  | 'test:recordings'
  | 'test:redaction'
  | 'test:screens'
  | 'test:scroll'
  | 'test:upgrade'
  | 'test:window';

/**
 * The test files that `npm test` leaves out for their length, and the command that runs them, every night or at every push
 * (`.github/workflows`).
 */
export const BY_OWN_COMMAND: Readonly<Record<Command, readonly string[]>> = {
  // They compare times of the processor. `npm test` refuses such archives in test/server/folders/read-archive.test.ts.
  'test:archives': ['test/server/folders/hostile-archives.test.ts'],
  // electron-builder packs the app. `npm test` has its configuration and fuses in test/packaging and test/main.
  'test:packed': ['test/packaging/packed.test.ts'],
  // Compositors and portals, which `npm test` does not install; it has doubles of them in test/engine.
  'test:desktops': [
    'test/desktops/core.test.ts',
    'test/desktops/failures.test.ts',
    'test/desktops/gnome-shortcut.test.ts',
    'test/desktops/hotkeys.test.ts',
    'test/desktops/recordings.test.ts',
    'test/desktops/stills.test.ts',
  ],
  // It compares times while the most expensive files are inspected. `npm test` has the shares of accounts in virtual time in
  // test/server/fairness.
  'test:fairness': ['test/faults/fairness.test.ts'],
  // Every scene in every theme, width, zoom and language, and redactions at every zoom and display scale. `npm test` audits
  // each screen in test/e2e/journeys.spec.ts.
  'test:screens': [
    'test/renderer/editor/quality.test.ts',
    'test/renderer/editor/redaction-scales.test.ts',
    'test/renderer/locales/pseudo-locale.test.ts',
    'test/renderer/panels/quality.test.ts',
    'test/renderer/quality/components.test.ts',
    'test/renderer/quality/live-regions.test.ts',
    'test/renderer/quality/one-product.test.ts',
    'test/renderer/quality/reflow.test.ts',
    'test/renderer/quality/scenes.test.ts',
    'test/renderer/quality/touch.test.ts',
    'test/renderer/quality/window.test.ts',
    'test/server/pages/every-page.test.ts',
    'test/server/pages/touch.test.ts',
  ],
  // `npm test` has nodes, their ends and their upgrades in test/server/nodes.
  'test:nodes': ['test/faults/nodes-kill.test.ts'],
  // Sixty pages of Chromium, xterm and GTK take seven minutes; `npm test` joins a few of them.
  'test:scroll': ['test/scroll'],
  // `npm test` kills recordings in test/engine/recording/crash.test.ts.
  'test:recording-kill': ['test/faults/recording-kill.test.ts'],
  // Real screens, sounds and cameras, and every kind of video. `npm test` records, trims and publishes in
  // test/cli/record.test.ts and test/e2e/recording.spec.ts, and converts in test/engine/video and test/cli/upload.test.ts.
  'test:recordings': [
    'test/engine/recording/camera.test.ts',
    'test/engine/recording/crash.test.ts',
    'test/engine/recording/input-display.test.ts',
    'test/engine/recording/record.test.ts',
    'test/engine/recording/recording-limits.test.ts',
    'test/engine/recording/sound.test.ts',
    'test/engine/recording/trim.test.ts',
    'test/engine/video/fit.test.ts',
  ],
  // Planted secrets in a part of the corpus (`npm run test:secrets` has all of it), read by three programs. `npm test` hides
  // secrets in test/cli/redact.test.ts, and in the editor in test/e2e.
  'test:redaction': ['test/engine/vision/redaction.test.ts'],
  // `npm test` adds a migration under load in test/server/nodes/rolling-upgrade.test.ts.
  'test:upgrade': ['test/server/nodes/upgrade.test.ts'],
  // Screens of the window, each for itself and in every state, in Chromium. `npm test` uses them one after the other in
  // test/e2e, and has their stores and what needs no browser in test/renderer.
  'test:window': [
    'test/renderer/editor/backdrop.test.ts',
    'test/renderer/editor/background-banner.test.ts',
    'test/renderer/editor/copy-while-editing.test.ts',
    'test/renderer/editor/draft.test.ts',
    'test/renderer/editor/editor.test.ts',
    'test/renderer/editor/upload-check.test.ts',
    'test/renderer/error-boundary.test.ts',
    'test/renderer/folder/folder.test.ts',
    'test/renderer/home/capture-card.test.ts',
    'test/renderer/home/home.test.ts',
    'test/renderer/home/phone.test.ts',
    'test/renderer/home/queue-item-details.test.ts',
    'test/renderer/item/item.test.ts',
    'test/renderer/library/library.test.ts',
    'test/renderer/locales/choose-language.test.ts',
    'test/renderer/note.test.ts',
    'test/renderer/overlay/overlay.test.ts',
    'test/renderer/overlay/ruler.test.ts',
    'test/renderer/palette/palette.test.ts',
    'test/renderer/panels/panels.test.ts',
    'test/renderer/pin/pin.test.ts',
    'test/renderer/review/review.test.ts',
    'test/renderer/settings/account.test.ts',
    'test/renderer/settings/captures.test.ts',
    'test/renderer/settings/find.test.ts',
    'test/renderer/settings/settings.test.ts',
    'test/renderer/status.test.ts',
    'test/renderer/welcome.test.ts',
    'test/renderer/window-screens.test.ts',
  ],
};

/** The files of which `npm test` runs a part, and the command that runs them at length beside those it alone has. */
export const AT_LENGTH: Readonly<Partial<Record<Command, readonly string[]>>> = {
  // Each look of a page, where `npm test` has one.
  'test:screens': [
    'test/renderer/editor/export.test.ts',
    'test/server/pages/account.test.ts',
    'test/server/pages/reader-tools.test.ts',
  ],
};
