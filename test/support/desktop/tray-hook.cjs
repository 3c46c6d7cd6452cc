/** Preloaded into the app (`-r`): a tray's menu cannot be read back later, so this stores it for the test. */
const { Tray } = require('electron');

const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function keep(menu) {
  globalThis.trayMenu = menu;
  return setContextMenu.call(this, menu);
};
