/** Buttons that start a capture. */

export const enCapture = {
  title: 'Capture the screen',
  modes: { region: 'Region', window: 'Window', screen: 'Screen', all: 'All screens', last: 'Last region' },
  record: 'Record',
  stop: 'Stop recording',
  delay: 'Delay',
  now: 'None',
  seconds: (count: number) => `${count} s`,
};
