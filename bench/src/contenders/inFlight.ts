/** How often a piece of work was done, in how many seconds. */
export interface Done {
  readonly count: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 2;

/** Does the work over and over, in so many lanes at a time, and counts after a warm-up. */
export async function inFlight(
  { flights, seconds }: { flights: number; seconds: number },
  work: (window: number) => Promise<void>,
): Promise<Done> {
  await during(flights, WARM_UP_SECONDS, work);
  return during(flights, seconds, work);
}

async function during(
  flights: number,
  seconds: number,
  work: (window: number) => Promise<void>,
): Promise<Done> {
  const startedAt = performance.now();
  let count = 0;
  const window = async (_: unknown, index: number) => {
    while (performance.now() - startedAt < seconds * 1000) {
      await work(index);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: flights }, window));
  return { count, seconds: (performance.now() - startedAt) / 1000 };
}
