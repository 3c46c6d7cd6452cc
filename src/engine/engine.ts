/**
 * Creates the engine, the single entry point to the app's behaviour: opens a profile folder, wires all features to the
 * host's ports, and resumes the queue. Tests may pass other adapters.
 */
import type { Account } from '../api/account.ts';
import { err, type Failure, failure, ok, type Result } from '../api/errors.ts';
import type { AccountId, ItemId } from '../api/ids.ts';
import { createChannel } from '../base/common/event-channel.ts';
import { ignoringFullDisk } from '../common/disk-full.ts';
import type { QueueItem, QueueItemIn } from '../ipc/protocol/queue-item.ts';
import { effectiveSettings } from '../ipc/protocol/settings.ts';
import { openAccounts } from './account/account-service.ts';
import { createAccountRefresher } from './account-refresher.ts';
import { createAnimationCommands } from './animation/animation-commands.ts';
import { createCaptureController } from './capture/capture-controller.ts';
import { createPendingCaptures } from './capture/pending-captures.ts';
import { createPicturesFolder } from './capture/pictures-folder.ts';
import { recoverCaptures } from './capture/recover-captures.ts';
import { saveCopy } from './capture/save-copy.ts';
import { createClipboardIntake } from './clipboard/clipboard-intake.ts';
import { DONE } from './empty-result.ts';
import { type EngineAdapters, nodeEngineAdapters } from './engine-adapters.ts';
import type { CreateEngineDeps, Engine, EngineDeps, EngineState } from './engine-interface.ts';
import { createEventEmitter } from './event-emitter.ts';
import { gitHomeOf } from './folder/git-home.ts';
import { createFolderPreviews } from './folder/preview-folder-upload.ts';
import { selectCommand } from './hotkeys/binding-instructions.ts';
import { openGnomeShortcut } from './hotkeys/gnome-shortcut.ts';
import { createHotkeysService } from './hotkeys/hotkeys-service.ts';
import { createHotkeyActionRunner } from './hotkeys/run-hotkey-action.ts';
import { createFindConflict, openSnippingTool } from './hotkeys/snipping-tool.ts';
import { createServiceThumbnails } from './library/download-thumbnails.ts';
import { createLibraryService } from './library/library-service.ts';
import { createLibrary } from './library/library-store.ts';
import { createLinkDelivery } from './link-delivery.ts';
import { createErrorHistory } from './local-data/error-history.ts';
import { createLocalDataCommands } from './local-data/local-data-commands.ts';
import { createNoteService } from './note/note-service.ts';
import { createPictureSearch } from './picture-search/picture-search-service.ts';
import { createNotices } from './profile/app-notices.ts';
import { closedOnFailure, openProfile } from './profile/open-profile.ts';
import { createItemAdder } from './queue/add-items.ts';
import {
  createItemCleanup,
  createNeededByItem,
  isOwnedByItem,
  sweepPasswords,
  trimQueue,
} from './queue/item-cleanup.ts';
import { createItemProgress } from './queue/item-progress.ts';
import { createItemThumbnails, makeMissingThumbnails } from './queue/item-thumbnails.ts';
import { createLinkSettingsChange } from './queue/link/change-unpublished-link-settings.ts';
import { createPasswords } from './queue/link/link-passwords.ts';
import { createQueueCommands } from './queue/queue-commands.ts';
import { hasWork } from './queue/queue-item-states.ts';
import { createQueuePause } from './queue/queue-pause.ts';
import { createRunner } from './queue/queue-runner.ts';
import { createQueueStore } from './queue/queue-store.ts';
import { recoverQueue } from './queue/recover-queue.ts';
import { createAppRunEvents } from './queue/timeline/app-run-events.ts';
import { createTimeline } from './queue/timeline/timeline-store.ts';
import { libraryWithTimeline, linksWithTimeline, notesWithTimeline } from './queue/timeline/with-timeline.ts';
import { createLinkedRows } from './queue/update-published-rows.ts';
import { createWaitForItem } from './queue/wait-for-item.ts';
import { createRecordingService } from './recording/recording-service.ts';
import { openRecordingStore } from './recording/recording-store.ts';
import { createSettings } from './settings/settings-store.ts';
import { createBuffers } from './upload/part-buffers.ts';
import { systemFileTimes } from './upload/upload-source.ts';
import { checkBefore, waitsForReview } from './upload-check/check-before-upload.ts';
import { createUploadReviews } from './upload-check/upload-reviews.ts';
import { limitsOf } from './video/prepare-video.ts';
import { createFindSecretsInCapture } from './vision/cached-secret-search.ts';
import { createRedact } from './vision/redact-picture.ts';
import { createVisionCommands } from './vision/vision-commands.ts';
import { createVisionProcessClient } from './vision/vision-process-client.ts';

export type { EngineCommands } from './command-types.ts';
export type * from './engine-interface.ts';

/**
 * Opens the profile and resumes its queue. Errors: PROFILE_BUSY (another process owns it), PROFILE_NEWER, DISK_FULL,
 * PROFILE_DAMAGED where the folder cannot be used.
 */
export const createEngine = async (given: CreateEngineDeps): Promise<Result<Engine>> => {
  const profile = openProfile(given.profileDir, given.clock, given.log);
  if (!profile.ok) return profile;
  const engine = await closedOnFailure(profile.value, async (open) => {
    const deps = { ...given, secrets: await given.secrets() };
    return runEngine(deps, nodeEngineAdapters(deps, open));
  });
  return ok(createAccountRefresher(engine, given.clock));
};

/** Time for an opened window to be drawn first. */
const WARM_MS = 1_000;

/** Runs `work` at the first call only; ignores its failure, which shows at the actual use. */
const once = (work: () => Promise<void>): (() => void) => {
  let isBegun = false;
  return () => {
    if (!isBegun) work().catch(() => {});
    isBegun = true;
  };
};

/** Creates the engine with the given adapters: its storage, then its services, and then starts them. */
export const runEngine = async (deps: EngineDeps, adapters: EngineAdapters): Promise<Engine> => {
  const { clock, random, secrets } = deps;
  const { platform } = deps.device;
  const { profile, spool, openSource, capturer, inputDisplay, cameras, ffmpeg, freeBytes } = adapters;
  const spoolDir = spool.dir;
  const isCommand = deps.delivery === 'by command';
  const closing = new AbortController();

  // What services share: events, settings and storage.
  const events = createEventEmitter(clock);
  const { changed } = events;
  const connected = createChannel<AccountId>();
  const added = createChannel<readonly QueueItem[]>();
  const linked = createChannel<QueueItemIn<'linked'>>();
  const cancelled = createChannel<QueueItem>();
  const settings = createSettings(profile, changed);
  const notices = createNotices(profile, changed);
  const { add: notify, withdraw } = notices;
  const library = createLibrary(profile);
  const thumbnails = adapters.openThumbnails(events.moved);
  const timeline = createTimeline(profile, clock);
  const store = createQueueStore({ profile, library, timeline, onChange: changed });
  const live = createItemProgress(clock, events.moved);
  const passwords = createPasswords(profile, secrets, changed);
  const paused = createQueuePause(profile);
  const isResting = () => deps.queue === 'resting' || paused.read();
  const pendingCaptures = createPendingCaptures(profile, deps.profileDir);
  const recordingStore = openRecordingStore(deps.profileDir);
  const isOwnedElsewhere = (path: string) => pendingCaptures.owns(path) || recordingStore.owns(path);
  const pictures = deps.pictures ?? createPicturesFolder({ platform, environment: deps.environment });

  // Services, each made of what is above it.
  const accounts = await openAccounts({
    ...deps,
    ...{ profile, openClient: adapters.openClient, notify },
    onChange: changed,
    onConnected: connected.emit,
  });
  const accountOf = (id: AccountId | null): Account | null => {
    const session = accounts.session(id);
    return session.ok ? session.value.account : null;
  };
  const effective = () => effectiveSettings(settings.get(), accounts.active()?.user ?? null);
  const serviceThumbnails = createServiceThumbnails({
    ...{ clock, profile, library, thumbnails },
    sessionOf: (id) => accounts.session(library.accountOf(id)),
  });
  const itemThumbnails = createItemThumbnails({
    ...{ thumbnails, serviceThumbnails, isCommand },
    isUploading: () => !isResting() && accounts.active() !== null,
  });
  const vision = createVisionProcessClient({ ...deps, openSource });
  const findSecrets = createFindSecretsInCapture(vision);
  const prepare = checkBefore(itemThumbnails.afterPreparing(adapters.prepare), {
    ...{ settings: settings.get, find: findSecrets, notify },
    isDrawnOn: (picture) => captures.isDrawnOn(picture),
    onFound: (id) => reviews.found(id),
  });
  const runner = createRunner({
    ...{ clock, random, store, live, passwords, openSource, prepare },
    buffers: createBuffers(),
    hashPart: adapters.hashPart,
    isPublished: library.isPublished,
    session: accounts.session,
    itemsAtOnce: () => settings.get().itemsAtOnce,
    paused: isResting,
    report: accounts.report,
    notify,
    onLinked: linked.emit,
    onCancelled: cancelled.emit,
  });
  const { refusalOf, ...adder } = createItemAdder({
    ...{ clock, random, store, spool, passwords, openSource },
    isFolder: adapters.isFolder,
    settings: settings.get,
    owner: accounts.owner,
    onAdded: added.emit,
  });
  const { add } = adder;
  /** An item that waits for a retry or for the user is not uploaded now. */
  const isUploading = (): boolean =>
    !isResting() &&
    accounts.active() !== null &&
    store.all().some((item) => hasWork(item) && item.intent === 'run' && item.error === null);
  const queueCommands = createQueueCommands({
    ...{ store, timeline, library, runner, paused },
    owner: accounts.owner,
    session: accounts.session,
    onChange: changed,
  });
  const delivery = createLinkDelivery({
    ...{ ...deps, store, settings: settings.get, effective },
    by: deps.delivery,
    emit: events.emit,
  });
  const pictureSearch = createPictureSearch({
    ...{ clock, profile, vision, isCommand },
    profileDir: deps.profileDir,
    settings: settings.get,
    isBusy: () => captures.session() !== null || recordings.isRunning() || isUploading(),
    onRead: () => events.emit({ type: 'library' }),
  });
  const published = createLibraryService({
    ...deps,
    readPictures: (_, signal) => pictureSearch.readNow(signal),
    ...{ library, settings, thumbnails, session: accounts.session, notify },
    rows: createLinkedRows({ clock, store }),
    onChange: () => events.emit({ type: 'library' }),
    onNewLink: delivery.replace,
    freeBytes: () => freeBytes(spoolDir).catch(() => null),
  });
  const notes = createNoteService({
    ...{ random, profile, library, openSource, add, spoolDir },
    changes: published.changes,
  });
  const recordings = createRecordingService({
    ...deps,
    ...{
      profile,
      add,
      refusalOf,
      recordingStore,
      spoolDir,
      platform,
      capturer,
      inputDisplay,
      cameras,
      ffmpeg,
      freeBytes,
      notify,
      withdraw,
    },
    settings: settings.get,
    onChange: events.moved,
    limits() {
      const account = accounts.active();
      return account && limitsOf(account);
    },
    isQueued: (path) => isOwnedByItem(store, path),
  });
  const animations = createAnimationCommands({
    ...{ random, spoolDir, ffmpeg, openSource, recordings, add, emit: events.emit },
    save: (path, name) => saveCopy(path, name, { pictures, folder: settings.get().saveFolder }),
  });
  const linkSettings = createLinkSettingsChange({ clock, store, runner, passwords, account: accountOf });
  const reviews = createUploadReviews({
    ...{ store, runner, spool, settings: settings.get, setShare: linkSettings.setShare },
    open: (item) => captures.commands.review({ item }),
    // A command ends: the app opens the editor.
    isBusy: () => isCommand || captures.isBusy(),
    isDrawnOn: (picture) => captures.isDrawnOn(picture),
    onReplaced: itemThumbnails.replaced,
  });
  const captures = createCaptureController({
    ...deps,
    ...{ pictures, profile, add, refusalOf, capturer, spool, spoolDir, notify },
    pending: pendingCaptures,
    settings: settings.get,
    queued: store.all,
    finishReview: reviews.finish,
    emit: events.emit,
    onChange: events.changedNow,
    isRecording: recordings.isRunning,
    readText: (id, pixels) => void visionCommands.readCaptured(id, pixels).catch(() => {}),
    record(area, signal) {
      const { recordingSound: sound, recordingPointer: pointer, ...more } = settings.get();
      const { recordingClicks: clicks, recordingKeys: keys, recordingCountdownSeconds: countdownSeconds } = more;
      const { recordingCamera: name, recordingCameraCorner: corner } = more;
      const target = { mode: 'region', area } as const;
      const camera = name === null ? {} : { camera: { name, corner } };
      return recordings.commands.start({ target, sound, pointer, clicks, keys, countdownSeconds, ...camera }, signal);
    },
  });
  const visionCommands = createVisionCommands({
    ...{ ...deps, vision, emit: events.emit },
    queued: store.get,
    media: (id, signal) => published.commands.media(id, 'file', null, signal),
    edited: captures.edited,
    undrawn: captures.undrawn,
    grab: captures.grab,
    redact: createRedact({ vision, spoolDir, random }),
    findSecrets,
    onItemRead: pictureSearch.itemRead,
  });
  const snippingTool = openSnippingTool(platform, deps.environment, profile);
  const hotkeys = createHotkeysService({
    ...{ clock, platform, notify, withdraw, snippingTool, environment: deps.environment },
    listener: deps.hotkeys ?? null,
    wanted: () => ({ ...settings.get().hotkeys, region: effective().hotkey }),
    findConflict: createFindConflict(snippingTool),
    // Of a host that listens to keys itself, two would answer one press.
    shortcut: deps.hotkeys ? null : openGnomeShortcut({ environment: deps.environment, command: selectCommand(deps) }),
    press: createHotkeyActionRunner({
      ...{ capture: captures.commands, recording: recordings.commands, notify },
      ...{ session: captures.session, running: recordings.state },
    }),
    onChange: events.moved,
  });
  const withThumbnail = (): readonly ItemId[] => {
    const ids = new Set([...store.all().map(({ id }) => id), ...serviceThumbnails.downloaded()]);
    return [...ids].filter(thumbnails.has);
  };
  const state = (): EngineState => ({
    version: deps.version,
    ...accounts.state(),
    queue: { items: [...store.all()], live: live.all(), paused: paused.read() },
    guarded: [...passwords.all()],
    thumbnails: [...withThumbnail()],
    replacedThumbnails: [...thumbnails.replaced()],
    capture: captures.session(),
    discarded: [...captures.discarded.all()],
    recording: recordings.state(),
    hotkeys: hotkeys.state(),
    settings: settings.get(),
    effective: effective(),
    notices: [...notices.all()],
  });
  const problems = createErrorHistory({
    ...{ profile, clock },
    onChange: (all) => events.emit({ type: 'problems', problems: [...all] }),
  });
  const localData = createLocalDataCommands({
    ...deps,
    ...{ pictures, profile, library, thumbnails, problems, state },
    settings: settings.get,
    dismiss: queueCommands.dismiss,
    account: () => accounts.active()?.user.id ?? null,
    discarded: captures.discarded,
    drawAgain: () => makeMissingThumbnails(store, thumbnails),
    clearPictureWords: pictureSearch.clear,
    onForgotten: () => events.emit({ type: 'library' }),
  });

  // What follows when an account answers, and when items are added, linked or cancelled; in this order.
  const cleanup = createItemCleanup({
    ...{ spool, passwords, thumbnails, remember: notes.remember },
    sources: adapters.sources,
  });
  connected.on(runner.connected);
  connected.on(published.connected);
  connected.on(() => {
    if (!isCommand && !isResting()) serviceThumbnails.download(closing.signal).catch(() => {});
  });
  added.on(itemThumbnails.added);
  added.on(runner.wake);
  linked.on((item) => void delivery.deliver(item).catch(() => {}));
  linked.on(pictureSearch.linked);
  linked.on(itemThumbnails.linked);
  linked.on(cleanup.linked);
  linked.on(({ id }) => captures.released(id));
  linked.on(({ accountId }) => accounts.published(accountId));
  cancelled.on(cleanup.cancelled);
  cancelled.on(({ id }) => captures.released(id));
  cancelled.on(({ id }) => events.emit({ type: 'cancelled', id }));
  events.onChange(hotkeys.follow);
  events.onChange(pictureSearch.changed);
  events.onChange(reviews.changed);

  const runEvents = createAppRunEvents({ clock, store, timeline, paused: paused.read, queue: deps.queue });
  /** Returns whether all files of the app belong to an item; else the next start recovers them. */
  const recover = async (damage: Failure): Promise<boolean> => {
    notify(damage);
    const shared = { clock, random, store, spool, removed: cleanup.recovered };
    const isRecovered = await recoverCaptures({ ...shared, pending: pendingCaptures });
    const queued = await recoverQueue({ ...shared, isOwnedElsewhere, waitsForReview });
    const isComplete = isRecovered && queued.ok;
    if (isComplete) ignoringFullDisk(profile.recovered);
    return isComplete;
  };
  const start = async (): Promise<void> => {
    events.start(state);
    const isComplete = profile.damage === null || (await recover(profile.damage));
    runEvents.recordStart();
    trimQueue(store);
    if (!isCommand) makeMissingThumbnails(store, thumbnails);
    if (deps.queue !== 'resting') sweepPasswords(passwords, store).catch(() => {});
    const isNeeded = createNeededByItem(store);
    if (isComplete) spool.sweep((path) => isNeeded(path) || isOwnedElsewhere(path)).catch(() => {});
    delivery.deliverPending();
    pictureSearch.start();
    published.start();
    runner.start();
    accounts.start();
    captures.resume().catch(() => {});
    recordings.resume().catch(() => {});
    hotkeys.follow();
  };
  await start();

  return {
    spoolDir,
    state,
    on: events.on,
    animation: animations.commands,
    app: {
      ...{ notify, withdraw },
      dismissNotices() {
        notices.dismiss();
        return DONE;
      },
    },
    capture: captures.commands,
    connection: accounts.commands,
    fit: {
      async previewPath({ path, fit }, signal) {
        const account = accounts.active();
        if (!account) return err(failure('NOT_CONNECTED', 'The limits of an account decide; connect first.'));
        return adapters.previewFit(path, fit, account, signal);
      },
    },
    folder: createFolderPreviews({ gitHome: () => gitHomeOf(deps.environment), times: systemFileTimes(clock) }),
    hotkeys: hotkeys.commands,
    intake: createClipboardIntake({ ...deps, add, addNote: notes.commands.add, spoolDir }),
    library: libraryWithTimeline(published.commands, { timeline, clock }),
    link: linksWithTimeline(published.links, { timeline, clock }),
    note: notesWithTimeline(notes.commands, { timeline, clock }),
    preset: published.presets,
    problem: problems,
    profile: localData,
    queue: {
      ...adder,
      ...queueCommands,
      ...linkSettings,
      approve: reviews.approve,
      ...createWaitForItem({ store, events, clock, cancel: queueCommands.cancel }),
      markDelivered: delivery.markDelivered,
    },
    recording: recordings.commands,
    settings: {
      update(change) {
        const updated = settings.update(change);
        if (updated.ok) pictureSearch.settingsUpdated(change);
        runner.wake();
        return updated;
      },
    },
    warm: once(async () => {
      if (isCommand) return;
      await clock.sleep(WARM_MS, closing.signal);
      await adapters.warm();
    }),
    vision: visionCommands.commands,
    async close() {
      events.close();
      closing.abort();
      animations.close();
      visionCommands.close();
      vision.close();
      await Promise.all([
        pictureSearch.close(),
        hotkeys.close(),
        runner.close(),
        published.close(),
        captures.close(),
        recordings.close(),
      ]);
      runEvents.recordEnd();
      await Promise.all([accounts.close(), thumbnails.close(), pendingCaptures.written()]);
      adapters.sources.close();
      profile.close();
    },
  };
};
