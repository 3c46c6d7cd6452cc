/** Onboarding. */

export const enWelcome = {
  hello: 'Welcome to Linkshot',
  helloText: 'Capture the screen or drop a file, and its link is on your clipboard.',
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
    text: 'So that your links open everywhere.',
    done: (place: string) => `Connected to ${place}.`,
    builtIn: 'A server on this computer is ready: you can begin.',
    action: 'Connect',
  },
  hotkey: {
    title: 'Try the hotkey',
    text: (keys: string) => `${keys} captures from any program.`,
    none: 'Choose the keys that capture from any program.',
    done: 'It works.',
    action: 'Test it',
    choose: 'Choose keys',
  },
  link: {
    title: 'Make your first link',
    textCapture: 'Capture a part of the screen, or drop a file anywhere here.',
    text: 'Drop a file anywhere here, or choose one.',
    done: 'Your first link is ready.',
    capture: 'Capture a region',
    choose: 'Choose a file',
  },
  over: 'That is all there is to it.',
  overText: 'Everything else is in the settings, and Ctrl+K finds it.',
  close: 'Done',

  quiet: 'Nothing is under way. Your links are in the library.',
  quietAction: 'Open the library',
};
