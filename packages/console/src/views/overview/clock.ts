import type { AnswerOf } from '../../kit/api.ts';
import { useGet } from '../../kit/Query.tsx';
import { query } from '../../kit/router.ts';

export const WINDOW = { days: 30 };
/** Which day counts: that of the outcome, or that of its record. */
export const CLOCKS = ['outcome', 'recorded'] as const;
export type Clock = (typeof CLOCKS)[number];

/** Of what was recorded in the window, this share at least had happened before it. */
const IMPORTED_SHARE = 0.1;

export interface ChosenClock {
  /** Undefined: not known yet. */
  by: Clock | undefined;
  /** Old outcomes were recorded in the window, so days of recording say little. */
  isImported: boolean;
  /** The outcomes of the window. */
  events: AnswerOf<'GET /analytics/events'> | undefined;
}

/** The clock in the address; else by outcome where a book was imported in the window. */
export function useClock(): ChosenClock {
  const outcome = useGet('GET /analytics/events', { query: { ...WINDOW, by: 'outcome' } });
  const recorded = useGet('GET /analytics/events', { query: { ...WINDOW, by: 'recorded' } });
  const [happened, came] = [outcome.data?.total, recorded.data?.total];
  const isImported = came !== undefined && happened !== undefined && came - happened > came * IMPORTED_SHARE;
  const isKnown = (came !== undefined && happened !== undefined) || outcome.failure || recorded.failure;
  const usual = isImported ? 'outcome' : 'recorded';
  const by = CLOCKS.find((clock) => clock === query.value.get('by')) ?? (isKnown ? usual : undefined);
  return { by, isImported, events: (by === 'outcome' ? outcome : recorded).data };
}
