/** English texts of a pinned image, which stays above other windows. */

export const enPin = {
  label: (name: string) => `Pinned image ${name}`,
  how: 'Arrow keys move it by one pixel, with Ctrl by ten. Plus and minus zoom, zero shows its actual size. Square brackets change its opacity. T lets clicks through. Escape closes it.',
  actions: 'What to do with it',
  copy: 'Copy image',
  share: 'Share',
  letThrough: 'Click through it; the menu in the tray ends that',
  close: 'Close',
  copied: 'Copied',
  shared: 'Added to the queue',
  opacity: (percent: string) => `Opacity ${percent}`,
  gone: 'The image couldn’t be shown',
};
