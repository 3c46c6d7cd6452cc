/**
 * English texts of captures: the buttons, the settings of screenshots and of their notifications, and the label of the
 * list of settings sections.
 */
export const enCapture = {
  title: 'Capture the screen',
  modes: { region: 'Region', window: 'Window', screen: 'Screen', all: 'All screens', last: 'Last region' },
  record: 'Record',
  stop: 'Stop recording',
  delay: 'Delay',
  now: 'None',
  seconds: (count: number) => `${count} s`,
};

export const enCaptureSettings = {
  sections: 'Sections',
  card: 'Screenshots',
  delay: 'Delay',
  delayNone: 'None',
  seconds: (seconds: string) => `${seconds} s`,
  pointer: 'Show the mouse pointer',
  pointerHint: 'Included in the screenshot.',
  edit: 'Open the editor after a capture',
  editHint: 'To annotate or redact it before anyone sees it.',
  copyWhileEditing: 'Keep the copy up to date while editing',
  copyWhileEditingHint:
    'The image is copied when the editor opens and after each change. A clipboard history may keep earlier versions.',
  copyWhileEditingByPage: 'Some browsers copy only at your next click.',
  after: 'After a capture',
  publish: 'Share it and create a link',
  publishHint: 'The link is copied according to the Upload settings.',
  copyPicture: 'Copy the image',
  copyPictureHint: 'To paste it into a chat or document. The link replaces it on the clipboard once it’s ready.',
  save: 'Save it to a folder',
  saveHint: 'Even if you don’t share it.',
  nothing: 'Captures are saved to the folder',
  nothingAdvice: 'Captures are never lost: if all of these are off, they’re saved as files.',
  folder: 'Folder',
  folderDefault: 'Your Pictures folder',
  folderHint: 'Full path. Leave empty for your Pictures folder.',
  folderRelative: 'Enter the full path, starting at the root or drive.',
  template: 'File name',
  templateHint: 'Also used for the shared file. Placeholders:',
  templateEmpty: 'Enter a name.',
  templateLong: 'Use at most 200 characters.',
  preview: (name: string) => `For example: ${name}`,
  sampleTitle: 'Quarterly report',
  toast: 'Show a notification after each capture',
  toastHint: 'With its progress and link. Hidden in full-screen apps.',
};
