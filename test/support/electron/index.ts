/**
 * Replaces the module `electron`. In Vitest (by an alias) windows show nothing and `desktop` records what the app did;
 * `binary.ts` runs the built app on it, with Chromium pages for windows. Each part is typed against Electron's own
 * types.
 */
export { app } from './app.ts';
export { desktopCapturer } from './capturer.ts';
export { ClipboardItem, clipboard } from './clipboard.ts';
export { desktop, type ScreenDouble } from './desktop.ts';
export { contextBridge, droppedPaths, type Frame, invokeFrom, ipcMain, ipcRenderer, webUtils } from './ipc.ts';
export { Menu, MenuItem } from './menu.ts';
export { NativeImage as nativeImage } from './native-image.ts';
export { net } from './net.ts';
export { Notification } from './notification.ts';
export { resetDesktop } from './reset.ts';
export { screen } from './screen.ts';
export { protocol, Session as session } from './session.ts';
export { dialog, globalShortcut, nativeTheme, powerMonitor, shell, systemPreferences } from './shell-api.ts';
export { Tray } from './tray.ts';
export { utilityProcess } from './utility-process.ts';
export { WebContents as webContents } from './web-contents.ts';
export { BrowserWindow } from './window.ts';
