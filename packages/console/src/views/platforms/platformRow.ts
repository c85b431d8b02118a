import type { AnswerOf } from '../../kit/api.ts';

export type PlatformRow = AnswerOf<'GET /admin/platforms'>['platforms'][number];

/** As the service names them. */
export const plans = ['starter', 'growth', 'enterprise'] as const;
export const trustTiers = ['ENTERPRISE', 'GROWTH', 'STARTER', 'SELF_REPORTED'] as const;
