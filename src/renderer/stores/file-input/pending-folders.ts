/**
 * Folders that the user has added but not shared yet. Each is scanned first and shared when the user confirms. A host
 * that can resolve the folder reads it; otherwise the page reads it and keeps its files until it is shared.
 */

import { createStore } from 'zustand/vanilla';
import { type Failure, ok, type Result } from '../../../api/errors.ts';
import type { SourceToken } from '../../../api/ids.ts';
import { onAbort } from '../../../base/common/on-abort.ts';
import type { FolderPreview, FolderProgress } from '../../../common/folder/folder-preview.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { CaptureDraft } from '../../../ipc/protocol/drawing.ts';
import type { LinkSettings } from '../../../ipc/protocol/link-settings.ts';
import type { PageFolder } from '../../folders/dropped-or-chosen-folder.ts';
import type { Toasts } from '../messages/toasts.ts';
import { orAppFailed } from '../or-app-failed.ts';
import type { Navigation, RouterStore } from '../router-store.ts';

export interface WaitingFolder {
  readonly token: SourceToken;
  /** Null: not known yet. */
  readonly name: string | null;
  /**
   * `sharing`: it is handed over to the host; `queuing`: the host adds it to the queue, and a choice for its link has no
   * effect any more. `lost`: it is no longer available, or cannot be read.
   */
  readonly state: 'reading' | 'ready' | 'sharing' | 'queuing' | 'lost';
  readonly progress: FolderProgress;
  readonly preview: FolderPreview | null;
  /** As in `FolderReadInPage`. */
  readonly mayMissRules: boolean;
  /** Why it could not be read or shared. */
  readonly failure: Failure | null;
  /** Share handed to the host, 0 to 1. */
  readonly sentFraction: number;
  /** Null: its name. */
  readonly title: string | null;
  /** Only values that differ from the settings. */
  readonly link: CaptureDraft['share'];
}

export const titleOf = ({ title, name }: WaitingFolder): string => title ?? name ?? '';

/** Whether it can still be shared; a lost folder is shown on its own screen only. */
export const isWaiting = ({ state }: WaitingFolder): boolean => state !== 'lost';

interface FoldersState {
  /** In order of arrival. */
  readonly folders: readonly WaitingFolder[];
}

interface FoldersDeps {
  readonly transport: PageTransport;
  readonly toasts: Toasts;
  readonly view: RouterStore;
  readonly now: () => number;
}

/** Polling interval for the progress of a host's scan. */
const ASK_MS = 200;

const NOTHING_READ: FolderProgress = { files: 0, share: null };

/** Reads a folder in the page and keeps its bundle. */
interface PageSource {
  readonly folder: PageFolder;
  bundle: File | null;
}

export const createPendingFolders = ({ transport, toasts, view, now }: FoldersDeps) => {
  const store = createStore<FoldersState>(() => ({ folders: [] }));
  const ofPage = new Map<SourceToken, PageSource>();
  const running = new Map<SourceToken, AbortController>();
  let last = 0;

  const find = (token: SourceToken) => store.getState().folders.find((folder) => folder.token === token);
  const patch = (token: SourceToken, change: Partial<WaitingFolder>): void =>
    store.setState(({ folders }) => ({
      folders: folders.map((folder) => (folder.token === token ? { ...folder, ...change } : folder)),
    }));
  const remove = (token: SourceToken): void => {
    ofPage.delete(token);
    store.setState(({ folders }) => ({ folders: folders.filter((folder) => folder.token !== token) }));
  };

  const readInPage = async (token: SourceToken, source: PageSource, signal: AbortSignal) => {
    const { readFolderInPage } = await import('../../folders/read-folder-in-page.ts');
    const read = await readFolderInPage(source.folder, (progress) => patch(token, { progress }), signal);
    if (!read.ok) return read;
    source.bundle = read.value.bundle;
    patch(token, { mayMissRules: read.value.mayMissRules });
    return ok(read.value.preview);
  };

  const readByHost = async (token: SourceToken, signal: AbortSignal): Promise<Result<FolderPreview>> => {
    onAbort(signal, () => void transport.call('folder.stop', { token }));
    const asking = setInterval(async () => {
      const asked = await transport.call('folder.progress', { token });
      if (asked.ok && asked.value.progress) patch(token, { progress: asked.value.progress });
    }, ASK_MS);
    try {
      return await transport.call('folder.preview', { token });
    } finally {
      clearInterval(asking);
    }
  };

  const read = async (token: SourceToken): Promise<void> => {
    running.get(token)?.abort();
    const controller = new AbortController();
    running.set(token, controller);
    patch(token, { state: 'reading', progress: NOTHING_READ, preview: null, failure: null });
    const { signal } = controller;
    const source = ofPage.get(token);
    const preview = await orAppFailed(() => (source ? readInPage(token, source, signal) : readByHost(token, signal)));
    if (signal.aborted) return;
    running.delete(token);
    if (preview.ok) patch(token, { state: 'ready', name: preview.value.name, preview: preview.value });
    else patch(token, { state: 'lost', failure: preview.error });
  };

  /** Adds a folder and starts reading it. */
  const add = (token: SourceToken, name: string | null): void => {
    const newFolder: WaitingFolder = {
      token,
      name,
      state: 'reading',
      progress: NOTHING_READ,
      preview: null,
      mayMissRules: false,
      failure: null,
      sentFraction: 0,
      title: null,
      link: {},
    };
    store.setState(({ folders }) => ({ folders: [...folders, newFolder] }));
    void read(token);
  };

  /** Shows the next pending folder, or the home screen with the queue. */
  const showNext = (to: Navigation): void => {
    const next = store.getState().folders.find(isWaiting);
    if (next) to.open({ screen: 'folder', token: next.token });
    else to.show('home');
  };

  const handOver = async (token: SourceToken, signal: AbortSignal): Promise<Result<SourceToken>> => {
    const source = ofPage.get(token);
    if (!source?.bundle) return ok(token);
    const { bundle } = source;
    return transport.offerFolder(bundle, (sent) => patch(token, { sentFraction: sent / bundle.size }), signal);
  };

  /** With the title and link that are chosen now: handing it over may have taken a while. */
  const queue = (token: SourceToken, handed: SourceToken) => {
    const folder = find(token);
    const title = folder ? titleOf(folder).trim() : '';
    const share: LinkSettings = { ...folder?.link, ...(title !== '' && { title }) };
    patch(token, { state: 'queuing' });
    return transport.call('queue.add', { tokens: [handed], share });
  };

  return {
    store,
    /** Adds folders that the host can resolve from a drop or a paste, and shows the first. */
    addNamed: async (dropped: readonly File[]): Promise<void> => {
      const never = new AbortController().signal;
      const here = view.whileHere();
      const offered = await Promise.all(
        dropped.map(async ({ name }, index) => ({
          name,
          token: await transport.offer(dropped[index] as File, () => {}, never),
        })),
      );
      const resolved = offered.flatMap(({ name, token }) => {
        if (token.ok) return { name, token: token.value };
        toasts.show({ kind: 'failure', failure: token.error });
        return [];
      });
      for (const { token, name } of resolved) add(token, name);
      const [first] = resolved;
      if (first) here.open({ screen: 'folder', token: first.token });
    },
    /** Adds folders that only the page can read, and shows the first. */
    addOfPage: (folders: readonly PageFolder[]): void => {
      const added = folders.map((folder) => {
        last += 1;
        const token = `page-folder-${now()}-${last}` as SourceToken;
        ofPage.set(token, { folder, bundle: null });
        add(token, folder.name);
        return token;
      });
      const [first] = added;
      if (first) view.open({ screen: 'folder', token: first });
    },
    /** Opens the host's folder dialog. */
    choose: async (): Promise<void> => {
      const chosen = await transport.call('folder.choose', {});
      if (!chosen.ok) return toasts.show({ kind: 'failure', failure: chosen.error });
      const { folder } = chosen.value;
      if (!folder) return;
      add(folder.token, folder.name);
      view.open({ screen: 'folder', token: folder.token });
    },
    /** After a reload, the address may name a folder this page does not know yet. */
    ensure: (token: SourceToken): void => {
      if (!find(token)) add(token, null);
    },
    /** Scans again: the folder may have changed. */
    rescan: (token: SourceToken): void => void read(token),
    /** What the user chooses for its link stays while it waits. */
    setLink: (token: SourceToken, change: Partial<Pick<WaitingFolder, 'title' | 'link'>>): void => patch(token, change),
    share: async (token: SourceToken): Promise<void> => {
      if (find(token)?.state !== 'ready') return;
      const controller = new AbortController();
      const here = view.whileHere();
      running.set(token, controller);
      patch(token, { state: 'sharing', failure: null, sentFraction: 0 });
      const handed = await orAppFailed(() => handOver(token, controller.signal));
      /** The bundle that the page has streamed; a folder that the host reads stays available. */
      const release = (): void => {
        if (handed.ok && handed.value !== token) void transport.call('intake.release', { token: handed.value });
      };
      if (controller.signal.aborted) return release();
      const added = handed.ok ? await queue(token, handed.value) : handed;
      if (controller.signal.aborted) {
        // The host had it already.
        if (added.ok) {
          void transport.call('folder.putBack', { token });
          void transport.call('queue.cancel', { ids: added.value.ids });
        } else release();
        return;
      }
      running.delete(token);
      if (!added.ok) {
        release();
        return patch(token, { state: 'ready', failure: added.error });
      }
      remove(token);
      showNext(here);
    },
    /** Cancels and removes the folder; nothing is shared. */
    remove: (token: SourceToken): void => {
      running.get(token)?.abort();
      running.delete(token);
      remove(token);
      showNext(view);
    },
    /** Cancels a share that is still being handed over. */
    stopSharing: (token: SourceToken): void => {
      running.get(token)?.abort();
      running.delete(token);
      patch(token, { state: 'ready', failure: null, sentFraction: 0 });
    },
  };
};

export type PendingFolders = ReturnType<typeof createPendingFolders>;
