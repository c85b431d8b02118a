import type { TargetKind } from './channelAdapter.js';

/** How much of one kind of target may be under way; see Carrier. */
export interface WindowLimits {
  readonly kind: TargetKind;
  readonly itemsPerSend: number;
  readonly maxSendsPerTarget: number;
  readonly minIntervalMs: number;
}

/** What a claim may take, in queue rows. */
export interface Capacity {
  readonly rows: number;
  /** How many of them may be of lanes that are not good. */
  readonly doubtfulRows: number;
  /** Lanes that are known here; all others get what is fresh for their kind, and are not good. */
  readonly windows: readonly { readonly targetId: string; readonly rows: number; readonly isGood: boolean }[];
  readonly fresh: readonly { readonly kind: TargetKind; readonly rows: number }[];
}

/** A send that has its place in a lane. */
export interface Slot {
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
export interface TargetWindows {
  /** Null: every place is taken. */
  capacity(): Capacity | null;
  enter(limits: WindowLimits, targetId: string): Slot;
  /** What the claim brought: lanes that got all they had room for may have more. */
  noteClaim(capacity: Capacity, claimed: ReadonlyMap<string, number>): void;
}

/** Past this many sends at once the event loop and the receivers' connections are the limit, not waiting. */
export const MAX_SENDS = 512;
const FIRST_SENDS_PER_TARGET = 4;
const SLOW_AFTER_MS = 1000;
/** What is known of a lane is kept so long after its last send; then it starts anew. */
const FORGET_AFTER_MS = 120_000;

interface TargetWindow {
  readonly limits: WindowLimits;
  limit: number;
  /** When each send that is not over began, the oldest first. */
  readonly sending: Set<{ startedMs: number }>;
  /** Sends, those included that are over but not recorded yet. */
  slots: number;
  isProven: boolean;
  lastStartMs: number;
  mayHaveMore: boolean;
}

/** @param nowMs a clock that never goes back, in milliseconds. */
export function createTargetWindows(
  kinds: readonly WindowLimits[],
  { maxSends = MAX_SENDS, nowMs = () => performance.now() } = {},
): TargetWindows {
  const windows = new Map<string, TargetWindow>();
  const fresh = kinds.map((limits) => ({
    kind: limits.kind,
    rows: rowsFor(limits, firstLimit(limits)),
  }));
  let slots = 0;

  return {
    capacity() {
      const rows = maxSends - slots;
      if (rows <= 0) return null;
      const now = nowMs();
      forgetIdle(now);
      let doubtful = 0;
      const known = [...windows].map(([targetId, window]) => {
        const isGood = window.isProven && !isSlow(window, now);
        if (!isGood) doubtful += window.slots;
        return { targetId, rows: freeRows(window, now), isGood };
      });
      return { rows, doubtfulRows: Math.max(0, maxSends / 2 - doubtful), windows: known, fresh };
    },
    enter(limits, targetId) {
      const window = windows.get(targetId) ?? newWindow(limits);
      windows.set(targetId, window);
      const send = { startedMs: nowMs() };
      window.sending.add(send);
      window.lastStartMs = send.startedMs;
      window.slots += 1;
      slots += 1;
      return {
        ended(isSuccess) {
          window.sending.delete(send);
          window.isProven = isSuccess;
          window.limit = isSuccess ? Math.min(limits.maxSendsPerTarget, window.limit + 1) : 1;
          return window.mayHaveMore;
        },
        leave() {
          window.sending.delete(send);
          window.slots -= 1;
          slots -= 1;
        },
      };
    },
    noteClaim(capacity, claimed) {
      const asked = new Map(capacity.windows.map(({ targetId, rows }) => [targetId, rows]));
      for (const [targetId, window] of windows) {
        const rows = asked.get(targetId) ?? rowsFor(window.limits, firstLimit(window.limits));
        window.mayHaveMore = (claimed.get(targetId) ?? 0) >= rows;
      }
    },
  };

  function forgetIdle(now: number): void {
    for (const [targetId, window] of windows) {
      if (window.slots === 0 && now - window.lastStartMs > FORGET_AFTER_MS) windows.delete(targetId);
    }
  }
}

function newWindow(limits: WindowLimits): TargetWindow {
  return {
    limits,
    limit: firstLimit(limits),
    sending: new Set(),
    slots: 0,
    isProven: false,
    lastStartMs: 0,
    mayHaveMore: true,
  };
}

function firstLimit({ maxSendsPerTarget }: WindowLimits): number {
  return Math.min(FIRST_SENDS_PER_TARGET, maxSendsPerTarget);
}

function freeRows({ limits, limit, sending, lastStartMs }: TargetWindow, now: number): number {
  if (limits.minIntervalMs > 0 && now - lastStartMs < limits.minIntervalMs) return 0;
  return rowsFor(limits, Math.max(0, limit - sending.size));
}

/** Where sends keep a distance, no two begin at once. */
function rowsFor({ itemsPerSend, minIntervalMs }: WindowLimits, sends: number): number {
  return itemsPerSend * (minIntervalMs > 0 ? Math.min(1, sends) : sends);
}

function isSlow({ sending }: TargetWindow, now: number): boolean {
  const [oldest] = sending;
  return oldest !== undefined && now - oldest.startedMs > SLOW_AFTER_MS;
}
