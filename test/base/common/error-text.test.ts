import { expect, test } from 'vitest';
import { messageOf, stackOf } from '../../../src/base/common/error-text.ts';

const withStack = (error: Error, stack: string | undefined): Error => Object.assign(error, { stack });

test('of an error the message is told, of anything else its text', () => {
  expect(messageOf(new TypeError('no such part'))).toBe('no such part');
  expect(messageOf('no such part')).toBe('no such part');
  expect(messageOf(undefined)).toBe('undefined');
});

test('the stack has the message once, in every engine', () => {
  const node = withStack(new TypeError('no such part'), 'TypeError: no such part\n    at add (parts.ts:1:2)');
  expect(stackOf(node)).toBe('TypeError: no such part\n    at add (parts.ts:1:2)');
  const firefox = withStack(new TypeError('no such part'), 'add@parts.ts:1:2\n');
  expect(stackOf(firefox)).toBe('TypeError: no such part\nadd@parts.ts:1:2');
});

test('an error without a stack is told by its name and message, anything else by its text', () => {
  expect(stackOf(withStack(new TypeError('no such part'), undefined))).toBe('TypeError: no such part');
  expect(stackOf(withStack(new Error(''), undefined))).toBe('Error');
  expect(stackOf(404)).toBe('404');
});
