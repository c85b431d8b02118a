import { fourDecimals } from '../../../domain/share.js';
import type { EnvelopeDraft } from '../../../outbox/envelopes.js';
import { periodAt } from './months.js';
import type { CrossedQuota } from './store.js';

/** `usage.quota_warning`: most of a month's quota is used (RULES N7). Only live calls count, so it is never of test mode. */
export function quotaWarningOf(
  { platformId, period, used, cap }: CrossedQuota,
  warningShare: number,
): EnvelopeDraft {
  return {
    type: 'usage.quota_warning',
    platformId,
    livemode: true,
    subjectId: null,
    data: {
      used,
      cap,
      remaining: Math.max(0, cap - used),
      ratio: fourDecimals(used / cap),
      threshold: warningShare,
      periodEnd: periodAt(new Date(period)).end.toISOString(),
    },
  };
}
