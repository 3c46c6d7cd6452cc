/** Error boundary fallbacks. */

export const enFailed = {
  window: 'Linkshot cannot show its window',
  windowText: 'Something in it broke. Your uploads go on; nothing is lost. Try again, or go home and go on from there.',
  screen: 'This screen cannot be shown',
  screenText:
    'Something in it broke. Your uploads go on; nothing is lost. Try again, or go on with another screen meanwhile.',
  toast: 'This notice cannot be shown',
  toastText: 'Your captures are kept and their uploads go on. You see them in the window of Linkshot.',
  recorder: 'The recorder’s bar cannot be shown',
  recorderText: 'What you record is kept. You can end it with its key or from the tray, too.',
  overlay: 'The frozen screen cannot be shown',
  overlayText: 'Nothing was captured, and your uploads go on. Press Esc to go back to your work.',
  goHome: 'Go home',
  copyDetails: 'Copy technical details',
  close: 'Close',
  giveUp: 'Back to my work',
};
