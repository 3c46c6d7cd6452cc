/** Whether an edited capture may be uploaded, by the setting and by what was decided about what looks secret. */
import { describe, expect, it } from 'vitest';
import { uploadVerdict } from '../../../src/renderer/editor/redaction-suggestions/upload-verdict.ts';
import type { RedactionSuggestions } from '../../../src/renderer/editor/redaction-suggestions/use-redaction-suggestions.ts';

const PLACE = { kind: 'email', x: 1, y: 1, width: 9, height: 9, confidence: 90 } as const;
const found = (at: number): RedactionSuggestions => ({
  state: 'found',
  found: [PLACE, PLACE],
  at,
  hidden: 0,
  by: 'app',
});
const DECIDED = found(2);
const OPEN = found(1);
const [NONE, LOOKING, FAILED, CLOSED, LOOKED] = (['none', 'looking', 'failed', 'closed', 'looked'] as const).map(
  (state): RedactionSuggestions => ({ state }),
) as [RedactionSuggestions, RedactionSuggestions, RedactionSuggestions, RedactionSuggestions, RedactionSuggestions];

const verdict = (
  proposals: RedactionSuggestions,
  rule: 'off' | 'ask' | 'require',
  { isWaiting = false, isWarned = false } = {},
) => uploadVerdict(proposals, { rule, isWaiting, isWarned });

describe('the upload of an edited capture', () => {
  it('needs nothing while the check is off', () => {
    for (const proposals of [NONE, LOOKING, FAILED, CLOSED, OPEN, DECIDED])
      expect(verdict(proposals, 'off')).toBe('unchecked');
  });

  it('goes on once each place was decided about, or the user has looked', () => {
    for (const rule of ['ask', 'require'] as const)
      for (const isWaiting of [false, true])
        for (const proposals of [DECIDED, LOOKED]) expect(verdict(proposals, rule, { isWaiting })).toBe('reviewed');
  });

  it('is held by the rule whatever else is so, however often it is tried', () => {
    for (const isWarned of [false, true])
      for (const isWaiting of [false, true])
        for (const proposals of [NONE, LOOKING, FAILED, CLOSED, OPEN])
          expect(verdict(proposals, 'require', { isWaiting, isWarned })).toBe('held');
  });

  it('is held once where the user is only asked, and goes on where there was no answer to wait for', () => {
    expect(verdict(OPEN, 'ask')).toBe('held');
    expect(verdict(OPEN, 'ask', { isWarned: true })).toBe('reviewed');
    for (const proposals of [FAILED, CLOSED]) expect(verdict(proposals, 'ask')).toBe('reviewed');
  });

  it('is left to the queue while it is still being checked, unless it waits there', () => {
    for (const proposals of [NONE, LOOKING]) {
      expect(verdict(proposals, 'ask')).toBe('unchecked');
      for (const rule of ['off', 'ask'] as const) {
        expect(verdict(proposals, rule, { isWaiting: true })).toBe('held');
        expect(verdict(proposals, rule, { isWaiting: true, isWarned: true })).toBe('reviewed');
      }
    }
  });
});
