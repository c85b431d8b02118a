import type { AnswerOf } from './api.ts';

type Endpoint = AnswerOf<'GET /webhooks'>['webhooks'][number];
export type Attempts = AnswerOf<'GET /webhooks/attempts'>['endpoints'][number];

/** An endpoint that accepts some attempts still fails from this share of errors on, if it had so many. */
const FAILING_SHARE = 0.1;
const FAILING_ATTEMPTS = 10;

/** How an endpoint fares. @param hours its attempts, if they are known. */
export function healthOf({ isActive, disabledReason, failingSince }: Endpoint, hours: Attempts | undefined) {
  const failed = sumOf(hours?.failed);
  const attempts = failed + sumOf(hours?.succeeded);
  const isFlawed = attempts >= FAILING_ATTEMPTS && failed / attempts >= FAILING_SHARE;
  const active = failingSince !== null || isFlawed ? 'failing' : 'active';
  const inactive = disabledReason === 'failing' ? 'disabled' : (disabledReason ?? 'paused');
  return {
    state: isActive ? active : inactive,
    /** Null: there was no attempt. */
    errorShare: attempts === 0 ? null : failed / attempts,
    attempts,
  } as const;
}

function sumOf(counts: readonly number[] = []): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
