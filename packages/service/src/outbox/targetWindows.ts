import type { ChannelAdapter, TargetKind } from './channelAdapter.js';

export type WindowLimits = Pick<
  ChannelAdapter<unknown, unknown>,
  'kind' | 'itemsPerSend' | 'maxSendsPerTarget' | 'minIntervalMs'
>;

export interface Capacity {
  readonly rows: number;
  /** Of these, rows of targets that are not healthy. */
  readonly unhealthyRows: number;
  /** Known targets. All others get `fresh` rows for their kind and count as not healthy. */
  readonly windows: readonly {
    readonly targetId: string;
    readonly rows: number;
    readonly isHealthy: boolean;
  }[];
  readonly fresh: readonly { readonly kind: TargetKind; readonly rows: number }[];
}

/** A slot that one send occupies in its target's window. */
export interface Slot {
  /** Grows the window by one, or shrinks it to one. True: the target may have more due items. */
  ended(isSuccess: boolean): boolean;
  /** The result is recorded. Until then the send counts against the total of all targets. */
  release(): void;
}

const FIRST_SENDS_PER_TARGET = 4;
const SLOW_AFTER_MS = 1000;
/** A window is dropped this long after its last send; the next send starts a new one. */
const FORGET_AFTER_MS = 120_000;

interface TargetWindow {
  readonly limits: WindowLimits;
  limit: number;
  readonly sending: Set<{ startedMs: number }>;
  slots: number;
  isProven: boolean;
  lastStartMs: number;
  mayHaveMore: boolean;
}

export type TargetWindows = ReturnType<typeof createTargetWindows>;

/**
 * A window of concurrent sends per target, and a limit for all targets. A window starts with a few slots,
 * grows with each success and falls to one after a failure, so a failing target uses few slots and a busy one
 * gets many.
 *
 * A target is healthy while its last send succeeded and no send takes longer than a second. All others,
 * including new ones, share half of the slots: however many targets hang, healthy ones keep the other half.
 * @param options.nowMs a monotonic clock.
 */
export function createTargetWindows(
  kinds: readonly WindowLimits[],
  options: { budget?: SendBudget | undefined; nowMs?(): number } = {},
) {
  const { budget = shareSends()(), nowMs = () => performance.now() } = options;
  const windows = new Map<string, TargetWindow>();
  const fresh = kinds.map((limits) => ({ kind: limits.kind, rows: rowsFor(limits, firstLimit(limits)) }));

  return {
    capacity(): Capacity | null {
      const now = nowMs();
      for (const [targetId, window] of windows) {
        if (window.slots === 0 && now - window.lastStartMs > FORGET_AFTER_MS) windows.delete(targetId);
      }
      let unhealthySlots = 0;
      const known = [...windows].map(([targetId, window]) => {
        const isHealthy = window.isProven && !isSlow(window, now);
        if (!isHealthy) unhealthySlots += window.slots;
        return { targetId, rows: freeRows(window, now), isHealthy };
      });
      const { slots: rows, unhealthy: unhealthyRows } = budget.free(unhealthySlots);
      return rows === 0 ? null : { rows, unhealthyRows, windows: known, fresh };
    },
    take(limits: WindowLimits, targetId: string): Slot {
      const window = windows.get(targetId) ?? newWindow(limits);
      windows.set(targetId, window);
      const send = { startedMs: nowMs() };
      window.sending.add(send);
      window.lastStartMs = send.startedMs;
      window.slots += 1;
      budget.take();
      return {
        ended(isSuccess) {
          window.sending.delete(send);
          window.isProven = isSuccess;
          window.limit = isSuccess ? Math.min(limits.maxSendsPerTarget, window.limit + 1) : 1;
          return window.mayHaveMore;
        },
        release() {
          window.sending.delete(send);
          window.slots -= 1;
          budget.release();
        },
      };
    },
    /** Reports the result of a claim: targets whose windows were filled may have more due items. */
    noteClaim(capacity: Capacity, claimed: ReadonlyMap<string, { readonly length: number }>): void {
      const asked = new Map(capacity.windows.map(({ targetId, rows }) => [targetId, rows]));
      for (const [targetId, window] of windows) {
        const rows = asked.get(targetId) ?? rowsFor(window.limits, firstLimit(window.limits));
        window.mayHaveMore = (claimed.get(targetId)?.length ?? 0) >= rows;
      }
    },
  };
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

/** With a minimum interval, at most one send starts at a time. */
function rowsFor({ itemsPerSend, minIntervalMs }: WindowLimits, sends: number): number {
  return itemsPerSend * (minIntervalMs > 0 ? Math.min(1, sends) : sends);
}

function isSlow({ sending }: TargetWindow, now: number): boolean {
  const [oldest] = sending;
  return oldest !== undefined && now - oldest.startedMs > SLOW_AFTER_MS;
}

/** The concurrent sends of one dispatcher, out of those that its process may have. */
export type SendBudget = ReturnType<ReturnType<typeof shareSends>>;

/** Above this many concurrent sends, the event loop and connections are the bottleneck. */
const MAX_SENDS = 512;
/** A dispatcher may have so many times what is left free, so that others find something. */
const TIMES_FREE = 2;

/**
 * Shares the sends of a process out to the dispatchers of its ledger groups. Targets that are not
 * healthy have half of them in all groups together. A dispatcher alone may use everything. Of
 * several, one that holds more than twice what is free waits until the others have caught up.
 * @returns what makes the budget of one more dispatcher.
 */
export function shareSends(maxSends = MAX_SENDS) {
  const members = new Set<{ slots: number; unhealthy: number }>();
  return () => {
    const own = { slots: 0, unhealthy: 0 };
    members.add(own);
    return {
      /** How many more sends may start, and how many of them to targets that are not healthy. */
      free(unhealthySlots: number) {
        own.unhealthy = unhealthySlots;
        const all = [...members];
        const slots = part(maxSends - sum(all.map((member) => member.slots)), own.slots);
        const unhealthy = part(maxSends / 2 - sum(all.map((member) => member.unhealthy)), own.unhealthy);
        return { slots, unhealthy };
      },
      take(): void {
        own.slots += 1;
      },
      release(): void {
        own.slots -= 1;
        own.unhealthy = Math.min(own.unhealthy, own.slots);
      },
      leave: () => members.delete(own),
    };
  };

  function part(free: number, own: number): number {
    if (members.size === 1) return Math.max(0, free);
    const most = Math.floor((TIMES_FREE * free - own) / (TIMES_FREE + 1));
    return Math.max(0, own === 0 ? Math.min(1, free) : 0, most);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
