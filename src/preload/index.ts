/**
 * The preload script of every Electron page. Exposes the functions of `preload-api.ts` to the page: calling commands,
 * receiving events, exchanging files for tokens, sending slices of files, and dragging a file out. Also forwards the
 * page's performance marks of a capture to the main process.
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { CAPTURE_MARKS, type CaptureMarkDetail } from '../ipc/protocol/capture-performance-marks.ts';
import type { AppEvent } from '../ipc/protocol/command-table.ts';
import { type CaptureMark, DESKTOP_CHANNELS, type PreloadApi } from '../ipc/protocol/preload-api.ts';

const bridge: PreloadApi<File> = {
  call: (command, input) => ipcRenderer.invoke(DESKTOP_CHANNELS.call, command, input),
  on: (listener) => {
    const onEvent = (_: IpcRendererEvent, event: AppEvent): void => listener(event);
    ipcRenderer.on(DESKTOP_CHANNELS.event, onEvent);
    return () => {
      ipcRenderer.removeListener(DESKTOP_CHANNELS.event, onEvent);
    };
  },
  offerPath: (file) => {
    const path = webUtils.getPathForFile(file);
    if (path === '') return Promise.resolve({ ok: true, value: null });
    return ipcRenderer.invoke(DESKTOP_CHANNELS.offerPath, path);
  },
  dragFile: (id) => ipcRenderer.invoke(DESKTOP_CHANNELS.dragFile, id),
  writeSlice: (id, offset, bytes) => ipcRenderer.invoke(DESKTOP_CHANNELS.writeSlice, id, offset, bytes),
};

contextBridge.exposeInMainWorld('linkshot', bridge);

const MARKS = new Set<string>(Object.values(CAPTURE_MARKS));
new PerformanceObserver((list) => {
  for (const { name, startTime, detail } of list.getEntries() as PerformanceMark[]) {
    if (!MARKS.has(name)) continue;
    const mark: CaptureMark = { ...(detail as CaptureMarkDetail), name, at: performance.timeOrigin + startTime };
    // While the app closes, nothing handles the message.
    ipcRenderer.invoke(DESKTOP_CHANNELS.mark, mark).catch(() => {});
  }
}).observe({ type: 'mark' });
