/** Every rule of the API document and of the decisions beside it, and the tests that prove each. */
import { DECISION_RULES } from './rules/decisions.ts';
import { ENDPOINT_RULES } from './rules/endpoints.ts';
import { OPERATION_RULES } from './rules/operation.ts';
import { RESOURCE_RULES } from './rules/resources.ts';
import type { Rule } from './rules/rule.ts';

export const RULES: readonly Rule[] = [...RESOURCE_RULES, ...ENDPOINT_RULES, ...OPERATION_RULES, ...DECISION_RULES];
