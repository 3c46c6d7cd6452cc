/** Names the keys of hotkeys as X and Wayland do (keysyms), for desktops that bind keys by such names. Pure. */

const NAMES: Readonly<Record<string, string>> = {
  ...{ PrintScreen: 'Print', PageUp: 'Prior', PageDown: 'Next', Backspace: 'BackSpace', Plus: 'plus', Space: 'space' },
  ...{ Capslock: 'Caps_Lock', Numlock: 'Num_Lock', Scrolllock: 'Scroll_Lock' },
  ...{ VolumeUp: 'XF86AudioRaiseVolume', VolumeDown: 'XF86AudioLowerVolume', VolumeMute: 'XF86AudioMute' },
  ...{ MediaNextTrack: 'XF86AudioNext', MediaPreviousTrack: 'XF86AudioPrev' },
  ...{ MediaStop: 'XF86AudioStop', MediaPlayPause: 'XF86AudioPlay' },
  ...{ numdec: 'KP_Decimal', numadd: 'KP_Add', numsub: 'KP_Subtract', nummult: 'KP_Multiply', numdiv: 'KP_Divide' },
  ...{ '!': 'exclam', '"': 'quotedbl', '#': 'numbersign', $: 'dollar', '%': 'percent', '&': 'ampersand' },
  ...{ "'": 'apostrophe', '(': 'parenleft', ')': 'parenright', '*': 'asterisk', ',': 'comma', '-': 'minus' },
  ...{ '.': 'period', '/': 'slash', ':': 'colon', ';': 'semicolon', '<': 'less', '=': 'equal', '>': 'greater' },
  ...{ '?': 'question', '@': 'at', '[': 'bracketleft', '\\': 'backslash', ']': 'bracketright', '^': 'asciicircum' },
  ...{ _: 'underscore', '`': 'grave', '{': 'braceleft', '|': 'bar', '}': 'braceright', '~': 'asciitilde' },
};

/** `key`: of a parsed accelerator. Letters are lower case. */
export const keysymName = (key: string): string => {
  const name = NAMES[key];
  if (name !== undefined) return name;
  if (/^num\d$/.test(key)) return `KP_${key.slice(3)}`;
  return key.length === 1 ? key.toLowerCase() : key;
};
