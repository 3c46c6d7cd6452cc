/** English texts for a window, screen, panel or overlay that failed to render. */
export const enFailed = {
  window: 'Linkshot can’t show this window',
  windowText: 'Something went wrong. Your uploads continue and nothing is lost. Try again, or go to Home.',
  screen: 'This screen can’t be shown',
  screenText: 'Something went wrong. Your uploads continue and nothing is lost. Try again, or use another screen.',
  toast: 'This notification can’t be shown',
  toastText: 'Your captures are safe and keep uploading. You can see them in the Linkshot window.',
  recorder: 'The recorder bar can’t be shown',
  recorderText: 'Your recording is safe. You can also stop it with its hotkey or from the tray.',
  overlay: 'The capture screen can’t be shown',
  overlayText: 'Nothing was captured, and your uploads continue. Press Esc to go back.',
  goHome: 'Go to Home',
  copyDetails: 'Copy technical details',
  close: 'Close',
  giveUp: 'Close',
};
