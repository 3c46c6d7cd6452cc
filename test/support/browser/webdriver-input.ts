/** Mouse and keys as WebDriver describes them, in its classic form and in BiDi alike. */

/** Code points of the specification for keys without a character. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
};

const keyboard = (actions: readonly object[]) => [{ type: 'key', id: 'keyboard', actions }];

/** One combination, such as `Control+v`. */
export const combination = (keys: string): readonly object[] => {
  const values = keys.split('+').map((name) => KEYS[name] ?? name);
  return keyboard([
    ...values.map((value) => ({ type: 'keyDown', value })),
    ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]);
};

/** Every character by its key. */
export const typing = (text: string): readonly object[] =>
  keyboard([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));

/** `origin`: the element, whose middle is meant. */
export const pointer = (origin: object, act: 'hover' | 'click'): readonly object[] => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', duration: 0, x: 0, y: 0, origin },
      ...(act === 'click' ? ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 })) : []),
    ],
  },
];
