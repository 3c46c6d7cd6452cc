/** Every rule of the API document and of the decisions beside it, and the tests that prove each. */
import { CONTENT_RULES } from './rules/content.ts';
import { DECISIONS_1_TO_4 } from './rules/decisions-1-4.ts';
import { DECISIONS_5_TO_8 } from './rules/decisions-5-8.ts';
import { ENDPOINT_RULES } from './rules/endpoints.ts';
import { OPERATION_RULES } from './rules/operation.ts';
import { RECORD_RULES } from './rules/records.ts';
import type { Rule } from './rules/rule.ts';

export const RULES: readonly Rule[] = [
  ...CONTENT_RULES,
  ...RECORD_RULES,
  ...ENDPOINT_RULES,
  ...OPERATION_RULES,
  ...DECISIONS_1_TO_4,
  ...DECISIONS_5_TO_8,
];
