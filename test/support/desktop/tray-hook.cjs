/** Runs before the app (`-r`): the menu of a tray cannot be asked for afterwards, so it is kept where a test finds it. */
const { Tray } = require('electron');

const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function keep(menu) {
  globalThis.trayMenu = menu;
  return setContextMenu.call(this, menu);
};
