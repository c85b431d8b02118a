import { benchmarkDimensions, cohortsOf } from '../../../domain/benchmarkCohorts.js';

/** Must agree with `cohortOf`. $now is a time. */
const MEASURES = {
  all: null,
  subjectType: 'subject_type',
  verificationDepthBand:
    'case when verified_events = 0 then -1 else verified_events * 100.0 / total_events end',
  activityVolumeBand: 'total_events',
  tenureBand: 'greatest(0, extract(epoch from $now::timestamptz - registered_at)) / 86400',
} as const satisfies Record<(typeof benchmarkDimensions)[number], string | null>;

/**
 * The cohorts of a row with subject_type, total_events, verified_events and registered_at, as a set
 * of bits.
 * @param now the placeholder of the current time: `$2`.
 */
export function membershipSql(now: `$${number}`): string {
  return benchmarkDimensions.map((dimension) => bitSql(dimension).replaceAll('$now', now)).join(' | ');
}

function bitSql(dimension: (typeof benchmarkDimensions)[number]): string {
  const measure = MEASURES[dimension];
  const downward = cohortsOf(dimension).reverse();
  if (measure === null) return String(downward[0]?.bit ?? 0);
  const cases = downward.map(({ from, bit }) =>
    typeof from === 'string'
      ? `when ${measure} = '${from}' then ${bit}`
      : `when ${measure} >= ${from} then ${bit}`,
  );
  return `case ${cases.join(' ')} else 0 end`;
}
