/**
 * English texts of converting a video so that the service accepts it (fit): the reasons, the presets and their results.
 * Also those of the settings of conversion and of image metadata.
 */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');

export const enFit = {
  title: (name: string) => `Convert ${name}`,
  heading: 'This video needs converting before it can be shared',
  /** Reasons, each with the exceeded limit where it is known. */
  reasons: {
    CONTAINER: 'Unsupported file format',
    VIDEO_CODEC: 'Unsupported video codec',
    PIXEL_FORMAT: 'Unsupported pixel format',
    LONG_SIDE: (limit: string) => `Long side is over ${limit} pixels`,
    SHORT_SIDE: (limit: string) => `Short side is over ${limit} pixels`,
    FPS: (limit: string) => `Over ${limit} frames per second`,
    DURATION: (limit: string) => `Longer than ${limit}`,
    AUDIO_STREAMS: 'Too many audio tracks',
    AUDIO_CODEC: 'Unsupported audio codec',
    BITRATE: 'Bitrate is too high',
    SIZE: (limit: string) => `Larger than ${limit}`,
    PLACE: 'May contain location data',
    DAMAGED: 'The end of the file is missing or can’t be read',
    UNREADABLE: 'The server can’t read this file',
    DYNAMIC_RANGE: 'HDR colours',
    CHOICE: 'Your choice',
  },
  now: 'Now',
  size: (width: number, height: number) => `${width} × ${height}`,
  frames: (fps: string) => `${fps} fps`,
  rate: (megabits: string) => `${megabits} Mbit/s`,
  silent: 'no sound',
  sound: 'with sound',
  length: (time: string) => `${time} long`,
  takes: (time: string) => `takes about ${time}`,
  less: (percent: string) => `${percent} smaller`,
  more: (percent: string) => `${percent} larger`,
  same: 'unchanged',
  impossible: 'not possible',
  foreseeing: 'calculating…',
  lost: (losses: string) => `Will be lost: ${losses}.`,
  nothingLost: 'Nothing will be lost.',
  losses: {
    sound: 'the sound',
    'sound-tracks': 'extra audio tracks',
    extras: 'subtitles',
    'dynamic-range': 'the HDR colours',
    end: 'the damaged end',
    rest: 'everything after the beginning',
  },
  how: 'Quality',
  choices: { smaller: 'Smaller file', balanced: 'Balanced', sharper: 'Sharper', clip: 'Short silent clip' },
  accept: 'Convert and share',
  decline: 'Cancel',
  forAll: (count: number) => `Use for all ${count} ${plural(count, { one: 'video', other: 'videos' })}`,
  always: 'Do this every time',
  keys: '1–4 to choose, Enter to share, Esc to cancel',
  ask: 'Ask before converting a video',
  askHint: 'Lets you compare the results and choose. Otherwise the setting below is used.',
  strip: 'Remove location and camera data from images',
  stripHint: 'Colours and orientation are kept.',
};
