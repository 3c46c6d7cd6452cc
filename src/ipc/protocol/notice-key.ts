/** What a notice is about. Pure. */
import type { Failure } from '../../api/errors.ts';

/** Of two notices with the same key, the newer one replaces the other. A key that is left is one for each service. */
export const noticeKey = ({ code, params }: Failure): string => `${code} ${params?.['keyLeftFor'] ?? ''}`;
