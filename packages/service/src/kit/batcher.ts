/**
 * Runs work that arrives together in one go: while a run is under way newcomers wait, and the next run takes all of
 * them. Alone, an item waits for nothing but the end of the current turn of the event loop.
 */
export interface Batcher<Item, Answer> {
  submit(item: Item): Promise<Answer>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
  /** Items that wait or are being run. */
  readonly pending: number;
}

interface BatcherOptions<Item, Answer> {
  /** Answers in the order of the items; an Error instead of an answer fails only that item, a throw fails all. */
  run(items: Item[]): Promise<readonly (Answer | Error)[]>;
  /** Weight of one item towards `maxWeight`. Default: 1. */
  weigh?(item: Item): number;
  /** A run takes items until their weight reaches this. */
  maxWeight: number;
  /** How many runs may be under way at once. */
  concurrency: number;
  /** More items than this never wait: `submit` rejects with what `refuse` makes. */
  maxWaiting: number;
  refuse(): Error;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  let queue: Waiting<Item, Answer>[] = [];
  let running = 0;
  let underWay = 0;
  let isScheduled = false;
  let onIdle: (() => void)[] = [];

  return {
    submit(item) {
      if (queue.length >= options.maxWaiting) return Promise.reject(options.refuse());
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        schedule();
      });
    },
    idle() {
      if (queue.length === 0 && running === 0) return Promise.resolve();
      return new Promise((resolve) => onIdle.push(resolve));
    },
    get pending() {
      return queue.length + underWay;
    },
  };

  function schedule(): void {
    if (isScheduled || running >= options.concurrency) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (queue.length > 0 && running < options.concurrency) void start(take());
    });
  }

  function take(): Waiting<Item, Answer>[] {
    let weight = 0;
    let count = 0;
    for (const { item } of queue) {
      weight += options.weigh?.(item) ?? 1;
      if (count > 0 && weight > options.maxWeight) break;
      count += 1;
    }
    const group = queue.slice(0, count);
    queue = queue.slice(count);
    return group;
  }

  async function start(group: Waiting<Item, Answer>[]): Promise<void> {
    running += 1;
    underWay += group.length;
    try {
      const answers = await options.run(group.map((waiting) => waiting.item));
      group.forEach((waiting, index) => {
        settle(waiting, answers[index]);
      });
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    }
    running -= 1;
    underWay -= group.length;
    if (queue.length > 0) schedule();
    else if (running === 0) {
      for (const resolve of onIdle) resolve();
      onIdle = [];
    }
  }

  function settle(waiting: Waiting<Item, Answer>, answer: Answer | Error | undefined): void {
    if (answer === undefined) waiting.reject(new Error('a gathered run left an item without an answer'));
    else if (answer instanceof Error) waiting.reject(answer);
    else waiting.resolve(answer);
  }
}
