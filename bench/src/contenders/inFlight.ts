/** The number of completed calls and the seconds they took. */
export interface Done {
  readonly count: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 2;

/** Repeats the work in so many concurrent loops and counts after a warm-up. */
export async function inFlight(
  { flights, seconds }: { flights: number; seconds: number },
  work: (slot: number) => Promise<void>,
): Promise<Done> {
  await during(flights, WARM_UP_SECONDS, work);
  return during(flights, seconds, work);
}

async function during(
  flights: number,
  seconds: number,
  work: (slot: number) => Promise<void>,
): Promise<Done> {
  const startedAt = performance.now();
  let count = 0;
  const loop = async (_: unknown, index: number) => {
    while (performance.now() - startedAt < seconds * 1000) {
      await work(index);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: flights }, loop));
  return { count, seconds: (performance.now() - startedAt) / 1000 };
}
