import type { AnswerOf } from './api.ts';

type Endpoint = AnswerOf<'GET /webhooks'>['webhooks'][number];
type Attempts = AnswerOf<'GET /webhooks/attempts'>['endpoints'][number];

/** An endpoint that accepts some attempts still fails from this share of errors on, if it had so many. */
const FAILING_SHARE = 0.1;
const FAILING_ATTEMPTS = 10;

export interface EndpointHealth {
  readonly state: 'active' | 'failing' | 'paused' | 'gone' | 'disabled';
  /** Of all attempts of the hours; null: there was none. */
  readonly errorShare: number | null;
  readonly attempts: number;
}

/** How an endpoint fares. @param hours its attempts, if they are known. */
export function healthOf(
  { isActive, disabledReason, failingSince }: Endpoint,
  hours: Pick<Attempts, 'succeeded' | 'failed'> | undefined,
): EndpointHealth {
  const failed = sumOf(hours?.failed);
  const attempts = failed + sumOf(hours?.succeeded);
  const errorShare = attempts === 0 ? null : failed / attempts;
  const isFlawed = attempts >= FAILING_ATTEMPTS && failed / attempts >= FAILING_SHARE;
  const active = failingSince !== null || isFlawed ? 'failing' : 'active';
  const inactive = disabledReason === null ? 'paused' : disabledReason === 'gone' ? 'gone' : 'disabled';
  return { state: isActive ? active : inactive, errorShare, attempts };
}

function sumOf(counts: readonly number[] = []): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
