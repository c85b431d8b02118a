import {
  eventTypes,
  platformTiers,
  stakeLevels,
  type Tally,
  type TallyKey,
  timelinessValues,
} from '@reliability/scoring';

/*
 * The part of a tally's key behind its day, packed into 13 bits so that the hottest table stays narrow:
 *
 *   event type (5) | platform tier (3) | stake (2) | verified (1) | timeliness (2)
 *
 * Each field is a position in a list of the scoring package. They are stored for good: those lists only ever grow at
 * their end, and a test holds them still.
 */
export function encodeTallyKey(key: TallyKey): number {
  return (
    (positionIn(eventTypes, key.eventType) << 8) |
    (positionIn(platformTiers, key.platformTier) << 5) |
    (positionIn(stakeLevels, key.stakeLevel) << 3) |
    ((key.isVerified ? 1 : 0) << 2) |
    positionIn(timelinessValues, key.timeliness)
  );
}

export function decodeTally(day: number, code: number, count: number): Tally {
  return {
    day,
    eventType: itemAt(eventTypes, code >> 8),
    platformTier: itemAt(platformTiers, (code >> 5) & 0b111),
    stakeLevel: itemAt(stakeLevels, (code >> 3) & 0b11),
    isVerified: ((code >> 2) & 1) === 1,
    timeliness: itemAt(timelinessValues, code & 0b11),
    count,
  };
}

function positionIn<T>(list: readonly T[], item: T): number {
  const position = list.indexOf(item);
  if (position < 0) throw new Error(`${String(item)} has no place in a tally`);
  return position;
}

function itemAt<T>(list: readonly T[], position: number): T {
  const item = list[position];
  if (item === undefined)
    throw new Error(`a stored tally names position ${position}, which this version does not know`);
  return item;
}
