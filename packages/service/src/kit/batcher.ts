interface BatcherOptions<Item, Answer> {
  /** In the order of the items. An Error fails only its item; a throw fails the whole batch. */
  run(items: Item[]): Promise<readonly (Answer | Error)[]>;
  /** Weight of one item towards `maxWeight`. Default: 1. */
  weigh?(item: Item): number;
  /** A batch takes items until their weight reaches this. */
  maxWeight: number;
  /**
   * A batch waits for so long while each turn of the event loop brings more items. Default: it does not wait.
   */
  lingerMs?: number;
  /** A batch waits for so long, whatever comes. Default: it does not wait. */
  collectMs?: number;
  concurrency: number;
  /** The most items that wait. Beyond it `submit` rejects with the error of `refuse`. */
  maxWaiting: number;
  refuse(): Error;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** New items wait for the running batch. A single one waits only for the end of this turn. */
export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>) {
  const { weigh = () => 1 } = options;
  const queue: Waiting<Item, Answer>[] = [];
  let running = 0;
  let underWay = 0;
  let pendingWeight = 0;
  let isScheduled = false;
  let onIdle: (() => void)[] = [];

  return {
    submit(item: Item): Promise<Answer> {
      if (queue.length >= options.maxWaiting) return Promise.reject(options.refuse());
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        pendingWeight += weigh(item);
        schedule();
      });
    },
    async idle(): Promise<void> {
      if (queue.length > 0 || running > 0) await new Promise<void>((resolve) => onIdle.push(resolve));
    },
    get pending() {
      return queue.length + underWay;
    },
    get pendingWeight() {
      return pendingWeight;
    },
  };

  function schedule(): void {
    if (isScheduled || running >= options.concurrency) return;
    isScheduled = true;
    if (options.collectMs !== undefined) {
      setTimeout(startAll, options.collectMs);
      return;
    }
    const lingerUntilMs = options.lingerMs === undefined ? 0 : performance.now() + options.lingerMs;
    setImmediate(startOrLinger, 1, lingerUntilMs);
  }

  /** Items that arrive turn after turn are better off in one batch. */
  function startOrLinger(before: number, untilMs: number): void {
    if (queue.length > before && performance.now() < untilMs) {
      setImmediate(startOrLinger, queue.length, untilMs);
      return;
    }
    startAll();
  }

  function startAll(): void {
    isScheduled = false;
    while (queue.length > 0 && running < options.concurrency) void start(take());
  }

  function take(): Waiting<Item, Answer>[] {
    let weight = 0;
    let count = 0;
    for (const { item } of queue) {
      weight += weigh(item);
      if (count > 0 && weight > options.maxWeight) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function start(group: Waiting<Item, Answer>[]): Promise<void> {
    running += 1;
    underWay += group.length;
    try {
      const answers = await options.run(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error('a batch returned no answer for an item'));
        else if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    }
    running -= 1;
    underWay -= group.length;
    for (const { item } of group) pendingWeight -= weigh(item);
    if (queue.length > 0) schedule();
    else if (running === 0) {
      for (const resolve of onIdle) resolve();
      onIdle = [];
    }
  }
}
