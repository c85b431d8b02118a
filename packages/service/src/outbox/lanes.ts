import type { TargetKind } from './carrier.js';

/** How much of one kind of target may be under way; see Carrier. */
export interface LaneLimits {
  readonly kind: TargetKind;
  readonly itemsPerSend: number;
  readonly maxSendsPerLane: number;
  readonly minIntervalMs: number;
}

/** What a claim may take, in queue rows. */
export interface Room {
  readonly rows: number;
  /** How many of them may be of lanes that are not good. */
  readonly doubtfulRows: number;
  /** Lanes that are known here; all others get what is fresh for their kind, and are not good. */
  readonly lanes: readonly { readonly targetId: string; readonly rows: number; readonly isGood: boolean }[];
  readonly fresh: readonly { readonly kind: TargetKind; readonly rows: number }[];
}

/** A send that has its place in a lane. */
export interface Place {
  /**
   * The send is over: its lane has room again, and grows by one for a success or shrinks to one for a failure. True: the lane
   * may have more that is due.
   */
  ended(isSuccess: boolean): boolean;
  /** It is recorded too, so the place is free: what is not recorded yet counts against all lanes together. */
  leave(): void;
}

/**
 * A lane per target, and the bound for all together. A lane starts with a few sends at once, grows with each success and falls
 * to one with a failure, so a target in trouble holds few places and a busy one gets many.
 *
 * A lane is good while its last send succeeded and none of its sends has been under way for a second. All others, new ones too,
 * share half of the places: however many targets hang, and even if all of them turn up at once, good ones keep the other half.
 */
export interface Lanes {
  /** Null: every place is taken. */
  room(): Room | null;
  enter(limits: LaneLimits, targetId: string): Place;
  /** What the claim brought: lanes that got all they had room for may have more. */
  noteClaim(room: Room, claimed: ReadonlyMap<string, number>): void;
}

/** Past this many sends at once the event loop and the receivers' connections are the limit, not waiting. */
export const MOST_SENDS = 512;
const FIRST_SENDS_PER_LANE = 4;
const SLOW_AFTER_MS = 1000;
/** What is known of a lane is kept so long after its last send; then it starts anew. */
const FORGET_AFTER_MS = 120_000;

interface Lane {
  readonly limits: LaneLimits;
  limit: number;
  /** When each send that is not over began, the oldest first. */
  readonly sending: Set<{ startedMs: number }>;
  /** Sends, those included that are over but not recorded yet. */
  places: number;
  isProven: boolean;
  lastStartMs: number;
  mayHaveMore: boolean;
}

/** @param nowMs a clock that never goes back, in milliseconds. */
export function createLanes(
  kinds: readonly LaneLimits[],
  { mostSends = MOST_SENDS, nowMs = () => performance.now() } = {},
): Lanes {
  const lanes = new Map<string, Lane>();
  const fresh = kinds.map((limits) => ({
    kind: limits.kind,
    rows: rowsFor(limits, firstLimit(limits)),
  }));
  let places = 0;

  return {
    room() {
      const rows = mostSends - places;
      if (rows <= 0) return null;
      const now = nowMs();
      forgetIdle(now);
      let doubtful = 0;
      const known = [...lanes].map(([targetId, lane]) => {
        const isGood = lane.isProven && !isSlow(lane, now);
        if (!isGood) doubtful += lane.places;
        return { targetId, rows: freeRows(lane, now), isGood };
      });
      return { rows, doubtfulRows: Math.max(0, mostSends / 2 - doubtful), lanes: known, fresh };
    },
    enter(limits, targetId) {
      const lane = lanes.get(targetId) ?? newLane(limits);
      lanes.set(targetId, lane);
      const send = { startedMs: nowMs() };
      lane.sending.add(send);
      lane.lastStartMs = send.startedMs;
      lane.places += 1;
      places += 1;
      return {
        ended(isSuccess) {
          lane.sending.delete(send);
          lane.isProven = isSuccess;
          lane.limit = isSuccess ? Math.min(limits.maxSendsPerLane, lane.limit + 1) : 1;
          return lane.mayHaveMore;
        },
        leave() {
          lane.sending.delete(send);
          lane.places -= 1;
          places -= 1;
        },
      };
    },
    noteClaim(room, claimed) {
      const asked = new Map(room.lanes.map(({ targetId, rows }) => [targetId, rows]));
      for (const [targetId, lane] of lanes) {
        const rows = asked.get(targetId) ?? rowsFor(lane.limits, firstLimit(lane.limits));
        lane.mayHaveMore = (claimed.get(targetId) ?? 0) >= rows;
      }
    },
  };

  function forgetIdle(now: number): void {
    for (const [targetId, lane] of lanes) {
      if (lane.places === 0 && now - lane.lastStartMs > FORGET_AFTER_MS) lanes.delete(targetId);
    }
  }
}

function newLane(limits: LaneLimits): Lane {
  return {
    limits,
    limit: firstLimit(limits),
    sending: new Set(),
    places: 0,
    isProven: false,
    lastStartMs: 0,
    mayHaveMore: true,
  };
}

function firstLimit({ maxSendsPerLane }: LaneLimits): number {
  return Math.min(FIRST_SENDS_PER_LANE, maxSendsPerLane);
}

function freeRows({ limits, limit, sending, lastStartMs }: Lane, now: number): number {
  if (limits.minIntervalMs > 0 && now - lastStartMs < limits.minIntervalMs) return 0;
  return rowsFor(limits, Math.max(0, limit - sending.size));
}

/** Where sends keep a distance, no two begin at once. */
function rowsFor({ itemsPerSend, minIntervalMs }: LaneLimits, sends: number): number {
  return itemsPerSend * (minIntervalMs > 0 ? Math.min(1, sends) : sends);
}

function isSlow({ sending }: Lane, now: number): boolean {
  const [oldest] = sending;
  return oldest !== undefined && now - oldest.startedMs > SLOW_AFTER_MS;
}
