/** The concurrent sends of one dispatcher, out of those that its process may have. */
export interface SendBudget {
  /** How many more sends may start, and how many of them to targets that are not healthy. */
  free(unhealthySlots: number): { readonly slots: number; readonly unhealthy: number };
  enter(): void;
  leave(): void;
}

/** Above this many concurrent sends, the event loop and connections are the bottleneck. */
export const MAX_SENDS = 512;
/** A dispatcher may have so many times what is left free, so that others find something. */
const TIMES_FREE = 2;

/**
 * Shares the sends of a process out to the dispatchers of its ledger groups. Targets that are not
 * healthy have half of them in all groups together. A dispatcher alone may use everything. Of
 * several, one that holds more than twice what is free waits until the others have caught up.
 * @returns what makes the budget of one more dispatcher.
 */
export function shareSends(maxSends = MAX_SENDS): () => SendBudget {
  const members = new Set<{ slots: number; unhealthy: number }>();
  return () => {
    const own = { slots: 0, unhealthy: 0 };
    members.add(own);
    return {
      free(unhealthySlots) {
        own.unhealthy = unhealthySlots;
        const all = [...members];
        const slots = part(maxSends - sum(all.map((member) => member.slots)), own.slots);
        const unhealthy = part(maxSends / 2 - sum(all.map((member) => member.unhealthy)), own.unhealthy);
        return { slots, unhealthy };
      },
      enter() {
        own.slots += 1;
      },
      leave() {
        own.slots -= 1;
        own.unhealthy = Math.min(own.unhealthy, own.slots);
      },
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
