/** Hands the page its transport and nothing else. A page offers a file; only this script turns it into a path. */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { DESKTOP_CHANNELS, type DesktopBridge } from '../contract/desktop.ts';
import type { AppEvent } from '../contract/ipc.ts';

const bridge: DesktopBridge<File> = {
  call: (command, input) => ipcRenderer.invoke(DESKTOP_CHANNELS.call, command, input),
  on: (listener) => {
    const hear = (_: IpcRendererEvent, event: AppEvent): void => listener(event);
    ipcRenderer.on(DESKTOP_CHANNELS.event, hear);
    return () => {
      ipcRenderer.removeListener(DESKTOP_CHANNELS.event, hear);
    };
  },
  offerPath: (file) => {
    const path = webUtils.getPathForFile(file);
    if (path === '') return Promise.resolve({ ok: true, value: null });
    return ipcRenderer.invoke(DESKTOP_CHANNELS.offerPath, path);
  },
  writeSlice: (id, offset, bytes) => ipcRenderer.invoke(DESKTOP_CHANNELS.writeSlice, id, offset, bytes),
};

contextBridge.exposeInMainWorld('linkshot', bridge);
