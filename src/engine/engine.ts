/**
 * Creates the engine, the single entry point to the app's behaviour: wires all features to the host's ports and a
 * profile folder.
 */
import { err, failure, ok, type Result } from '../api/errors.ts';
import type { AccountId, ItemId } from '../api/ids.ts';
import { openAccounts } from './account/accounts.ts';
import { createAccountRefresher } from './account-refresher.ts';
import { type EngineAdapters, nodeEngineAdapters } from './adapters.ts';
import type { Engine, EngineDeps, EngineState } from './api.ts';
import { createCaptureService } from './capture/capture-service.ts';
import { createPendingCaptures } from './capture/pending-captures.ts';
import { createPicturesFolder } from './capture/pictures-folder.ts';
import { createClipboardService } from './clipboard/clipboard-service.ts';
import { createEvents } from './events.ts';
import { gitHomeOf } from './folder/git-config-home.ts';
import { previewFolder } from './folder/preview-folder.ts';
import { createHotkeyAction } from './hotkeys/hotkey-action.ts';
import { createFindConflict } from './hotkeys/hotkey-conflicts.ts';
import { createHotkeysService } from './hotkeys/hotkeys-service.ts';
import { openSnippingTool } from './hotkeys/snipping-tool.ts';
import { createLibraryService } from './library/library-service.ts';
import { createLibrary } from './library/library-store.ts';
import { createServiceThumbnails } from './library/service-thumbnails.ts';
import { editWithTimeline, withTimeline } from './queue/timeline/with-timeline.ts';
import { createLinkDelivery } from './link-delivery.ts';
import { createNoteService } from './note/note-service.ts';
import type { Prepare } from './upload/preparation.ts';
import { createNotices } from './profile/notices.ts';
import { openProfile } from './profile/open-profile.ts';
import { createLocalDataService } from './local-data/local-data-service.ts';
import { addItems } from './queue/add-items.ts';
import { createItemProgress } from './queue/item-progress.ts';
import { createPasswords } from './queue/link/link-passwords.ts';
import { createSetShare } from './queue/link/set-share.ts';
import { createLinkedRows } from './queue/linked-rows.ts';
import { isOwnedByItem, makeMissingThumbnails, recoverQueue, releaseItem, trimQueue } from './queue/maintenance.ts';
import { createQueueCommands } from './queue/queue-commands.ts';
import { createQueuePause } from './queue/queue-pause.ts';
import { createRunner } from './queue/queue-runner.ts';
import { createQueueStore } from './queue/queue-store.ts';
import { recordEnd, recordStart } from './queue/timeline/session-events.ts';
import { createTimeline, eventsOf } from './queue/timeline/timeline-store.ts';
import { createWaitForItem } from './queue/wait-for-item.ts';
import { createRecordingService } from './recording/recording-service.ts';
import { openRecordingStore } from './recording/recording-store.ts';
import { effectiveSettings } from './settings/effective-settings.ts';
import { createSettings } from './settings/settings-store.ts';
import { createBuffers } from './upload/part-buffers.ts';
import { systemFileTimes } from './upload/upload-source.ts';
import { limitsOf } from './video/prepare-video.ts';

export type * from './api.ts';

/**
 * Opens the profile and resumes its queue. Errors: PROFILE_BUSY (another process owns it), PROFILE_NEWER, DISK_FULL,
 * PROFILE_DAMAGED where the folder cannot be used.
 */
export const createEngine = async (deps: EngineDeps): Promise<Result<Engine>> => {
  const profile = openProfile(deps.profileDir, deps.clock);
  if (!profile.ok) return profile;
  return ok(createAccountRefresher(await runEngine(deps, nodeEngineAdapters(deps, profile.value)), deps.clock));
};

/** Time for an opened window to be drawn first. */
const WARM_MS = 1_000;

/** Runs `work` at the first call only; ignores its failure, which shows at the actual use. */
const once = (work: () => Promise<void>): (() => void) => {
  let isBegun = false;
  return () => {
    if (isBegun) return;
    isBegun = true;
    work().catch(() => {});
  };
};

/** Creates the engine with the given adapters. */
export const runEngine = async (deps: EngineDeps, adapters: EngineAdapters): Promise<Engine> => {
  const { clock, random, secrets } = deps;
  const { profile, spool, openSource, isFolder, prepare } = adapters;

  const state = (): EngineState => ({
    version: deps.version,
    ...accounts.state(),
    queue: { items: [...store.all()], live: live.all(), paused: paused.read() },
    guarded: [...passwords.all()],
    thumbnails: store.all().flatMap(({ id }) => (thumbnails.has(id) ? [id] : [])),
    capture: captures.session(),
    discarded: [...captures.discarded.all()],
    recording: recordings.state(),
    hotkeys: hotkeys.state(),
    settings: settings.get(),
    effective: effective(),
    notices: [...notices.all()],
  });
  const events = createEvents(clock, state);
  const { changed } = events;

  const settings = createSettings(profile, changed);
  const effective = () => effectiveSettings(settings.get(), accounts.active()?.user ?? null);
  const notices = createNotices(profile, changed);
  const library = createLibrary(profile);
  const thumbnails = adapters.openThumbnails(events.moved);
  const timeline = createTimeline(profile, clock);
  const ending = new AbortController();
  const serviceThumbnails = createServiceThumbnails({
    ...{ clock, profile, library, thumbnails },
    sessionOf: (id) => accounts.session(library.accountOf(id)),
  });
  const store = createQueueStore({ profile, library, timeline, onChange: changed });
  const live = createItemProgress(clock, events.moved);
  const passwords = createPasswords(profile, secrets, changed);
  const paused = createQueuePause(profile);
  const isResting = () => deps.queue === 'resting' || paused.read();
  const pending = { spool, passwords, thumbnails };
  const captured = createPendingCaptures(profile);
  const recordingStore = openRecordingStore(deps.profileDir);
  const isOwnedElsewhere = (path: string) => captured.owns(path) || recordingStore.owns(path);
  const delivery = createLinkDelivery({
    ...{ ...deps, store, settings: settings.get, effective },
    by: deps.delivery,
    emit: events.emit,
  });
  const accounts = await openAccounts({
    ...deps,
    ...{ profile, openClient: adapters.openClient },
    onChange: changed,
    onConnected(accountId) {
      runner.connected(accountId);
      published.connected();
      if (deps.delivery !== 'by command' && !isResting()) serviceThumbnails.download(ending.signal).catch(() => {});
    },
    notify: notices.add,
  });
  const prepareWithThumbnail: Prepare = async (item, context, signal) => {
    const body = await prepare(item, context, signal);
    if (body.ok && body.value) makeThumbnail(item.id, body.value.path);
    return body;
  };
  /** An active item gets its link first; a command shows no list. */
  const makeThumbnail = (id: ItemId, path: string): void => {
    if (deps.delivery === 'by command') return;
    thumbnails.make(id, path, isResting() || accounts.active() === null ? 'now' : 'once linked');
  };
  const runner = createRunner({
    ...{ clock, random, store, live, passwords, buffers: createBuffers(), openSource, prepare: prepareWithThumbnail },
    isKnown: (id) => library.byContent(id) !== null,
    session: accounts.session,
    itemsAtOnce: () => settings.get().itemsAtOnce,
    paused: isResting,
    report: accounts.report,
    onLinked(item) {
      delivery.deliver(item).catch(() => {});
      const { type } = item.content;
      if (deps.delivery === 'by command' && (type === 'IMAGE' || type === 'VIDEO')) serviceThumbnails.add(item.id);
      else thumbnails.linked(item.id);
      notes
        .remember(item)
        // A note that cannot be found by its text is still found by its title.
        .catch(() => {})
        .finally(() => releaseItem(item, pending));
      captures.released(item.id);
      accounts.published(item.accountId);
    },
    onCancelled(item) {
      releaseItem(item, pending);
      captures.released(item.id);
      thumbnails.remove(item.id).catch(() => {});
      events.emit({ type: 'cancelled', id: item.id });
    },
  });

  const accountOf = (id: AccountId | null) => {
    const session = accounts.session(id);
    return session.ok ? session.value.account : null;
  };
  const published = createLibraryService({
    ...deps,
    ...{ library, settings, thumbnails, session: accounts.session },
    rows: createLinkedRows({ clock, store }),
    onChange: () => events.emit({ type: 'library' }),
    onNewLink: (before, now) => delivery.replace(before, now),
    notify: notices.add,
    freeBytes: () => adapters.freeBytes(spool.dir).catch(() => null),
  });

  if (profile.damage) {
    notices.add(profile.damage);
    await recoverQueue({ clock, random, store, spool, isOwnedElsewhere });
  }
  const sessionEvents = { clock, store, timeline, paused: isResting };
  recordStart(sessionEvents);
  trimQueue(store);
  if (deps.delivery !== 'by command') makeMissingThumbnails(store, thumbnails);
  spool.sweep((path) => isOwnedByItem(store, path) || isOwnedElsewhere(path)).catch(() => {});
  delivery.deliverPending();
  runner.wake();
  accounts.start();

  const add: Engine['add'] = async (items, by = 'window') => {
    const added = await addItems(
      {
        clock,
        random,
        store,
        spool,
        passwords,
        openSource,
        isFolder,
        settings: settings.get,
        account: accounts.active,
      },
      items,
      by,
    );
    if (!added.ok) return added;
    for (const { id, source } of added.value) makeThumbnail(id, source.path);
    runner.wake();
    return ok(added.value.map(({ id }) => id));
  };

  const notes = createNoteService({
    ...{ random, profile, library, openSource, add, changes: published.changes },
    spoolDir: spool.dir,
  });

  const recordings = createRecordingService({
    ...deps,
    ...{ profile, add, recordingStore, spoolDir: spool.dir, settings: settings.get, onChange: events.moved },
    ...{ capturer: adapters.capturer, ffmpeg: adapters.ffmpeg, freeBytes: adapters.freeBytes },
    platform: deps.device.platform,
    limits() {
      const account = accounts.active();
      return account && limitsOf(account);
    },
    isQueued: (path) => isOwnedByItem(store, path),
    notify: notices.add,
    withdraw: notices.withdraw,
  });
  const pictures =
    deps.pictures ?? createPicturesFolder({ platform: deps.device.platform, environment: deps.environment });
  const captures = createCaptureService({
    ...deps,
    pictures,
    ...{ profile, add, pending: captured, capturer: adapters.capturer, spoolDir: spool.dir },
    ...{ settings: settings.get, queued: store.all, emit: events.emit, notify: notices.add },
    onChange: events.changedNow,
    isRecording: recordings.isRunning,
    record(area, signal) {
      const { recordingSound: sound, recordingPointer: pointer, recordingCountdownSeconds } = settings.get();
      const target = { mode: 'region', area } as const;
      const request = { target, sound, pointer, countdownSeconds: recordingCountdownSeconds };
      return recordings.commands.startRecording(request, signal);
    },
  });
  captures.resume().catch(() => {});
  recordings.resume().catch(() => {});
  const snippingTool = openSnippingTool(deps.device.platform, deps.environment, profile);
  const hotkeys = createHotkeysService({
    clock,
    platform: deps.device.platform,
    listener: deps.hotkeys ?? null,
    wanted: () => ({ ...settings.get().hotkeys, region: effective().hotkey }),
    findConflict: createFindConflict(snippingTool),
    snippingTool,
    press: createHotkeyAction({
      ...{ capture: captures.commands, recording: recordings.commands, notify: notices.add },
      ...{ session: captures.session, running: recordings.state },
    }),
    notify: notices.add,
    withdraw: notices.withdraw,
    onChange: events.moved,
  });
  events.onChange(hotkeys.follow);
  hotkeys.follow();

  const queueCommands = createQueueCommands({ store, timeline, runner, paused, onChange: changed });
  const profileCommands = createLocalDataService({
    ...deps,
    pictures,
    ...{ profile, library, thumbnails, state, settings: settings.get, dismiss: queueCommands.dismiss },
    account: () => accounts.active()?.user.id ?? null,
    discarded: captures.discarded,
    drawAgain: () => makeMissingThumbnails(store, thumbnails),
    onForgotten: () => events.emit({ type: 'library' }),
    onProblems: (problems) => events.emit({ type: 'problems', problems: [...problems] }),
  });
  const { waitForItem, hasWaiter } = createWaitForItem({ store, events, clock });

  return {
    spoolDir: spool.dir,
    state,
    on: events.on,
    add,
    ...captures.commands,
    ...recordings.commands,
    ...hotkeys.commands,
    ...queueCommands,
    timeline: (id) => eventsOf(timeline.of(id), store.get(id), library.get(id)),
    ...createSetShare({ clock, store, runner, passwords, account: accountOf }),
    ...published.commands,
    ...withTimeline(published.commands, { timeline, clock }),
    ...notes.commands,
    ...editWithTimeline(notes.commands, { timeline, clock }),
    ...createClipboardService({ ...deps, ...notes.commands, add, spoolDir: spool.dir }),
    ...accounts.commands,
    ...profileCommands,
    warm: once(async () => {
      if (deps.delivery === 'by command') return;
      await clock.sleep(WARM_MS, ending.signal);
      await adapters.warm();
    }),
    notify: notices.add,
    withdraw: notices.withdraw,
    updateSettings(change) {
      const updated = settings.update(change);
      runner.wake();
      return updated;
    },
    dismissNotices: notices.dismiss,
    thumbnail: thumbnails.path,
    previewFolder: (source, onProgress, signal) =>
      previewFolder(
        source,
        { gitHome: gitHomeOf(deps.environment), times: systemFileTimes(clock) },
        onProgress,
        signal,
      ),
    async previewFit(path, fit, signal) {
      const account = accounts.active();
      if (!account) return err(failure('NOT_CONNECTED', 'The limits of an account decide; connect first.'));
      return adapters.previewFit(path, fit, account, signal);
    },
    markDelivered: delivery.markDelivered,
    waitForItem,
    replace: (ids) => queueCommands.cancel(ids.filter((id) => store.get(id)?.awaited === true && !hasWaiter(id))),
    async close() {
      events.close();
      ending.abort();
      await Promise.all([hotkeys.close(), runner.close(), published.close(), captures.close(), recordings.close()]);
      recordEnd(sessionEvents);
      await Promise.all([accounts.close(), thumbnails.close()]);
      profile.close();
    },
  };
};
