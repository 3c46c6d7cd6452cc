/** English texts of the welcome screen, of the first steps for new users, and of the home screen without uploads. */

export const enWelcome = {
  hello: 'Welcome to Linkshot',
  helloText: 'Capture your screen or drop a file, and the link is on your clipboard.',
  connectTitle: 'Connect to your server',
  later: 'Look around first',
  tryTitle: 'No account?',

  steps: (count: number): string => (count === 2 ? 'Two steps to your first link' : 'Three steps to your first link'),
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide the steps',
  skip: 'Skip',
  skipNamed: (step: string) => `Skip: ${step}`,
  state: { done: 'Done', open: 'To do', skipped: 'Skipped' },
  connect: {
    title: 'Connect',
    text: 'So your links work everywhere.',
    done: (place: string) => `Connected to ${place}.`,
    builtIn: 'A server is running on this computer. You’re ready to go.',
    action: 'Connect',
  },
  hotkey: {
    title: 'Try the hotkey',
    text: (keys: string) => `${keys} captures the screen from any app.`,
    none: 'Choose a hotkey that captures the screen from any app.',
    done: 'It works.',
    action: 'Test it',
    choose: 'Choose keys',
  },
  link: {
    title: 'Create your first link',
    textCapture: 'Capture part of the screen, or drop a file anywhere here.',
    text: 'Drop a file anywhere here, or choose one.',
    done: 'Your first link is ready.',
    capture: 'Capture a region',
    choose: 'Choose a file',
  },
  over: 'That’s it!',
  overText: 'Everything else is in the settings. Press Ctrl+K to find anything.',
  close: 'Done',

  quiet: 'No uploads in progress. Your links are in the library.',
  quietAction: 'Open the library',
};
