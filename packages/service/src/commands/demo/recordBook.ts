import type { Book } from './book.js';
import type { DemoPlatform } from './joinPlatform.js';

const BATCH = 100;
/** Concurrent batches, to hide the latency of requests. */
const BATCHES_UNDER_WAY = 4;

/**
 * Reports the events in batches, oldest first.
 * @param onRecorded called after each batch with its number of events.
 * @returns the number of new events.
 */
export async function recordBook(
  platform: DemoPlatform,
  { events }: Book,
  onRecorded: (count: number) => void,
): Promise<number> {
  let next = 0;
  let created = 0;
  const work = async (): Promise<void> => {
    while (next < events.length) {
      const batch = events.slice(next, next + BATCH);
      next += BATCH;
      const newEvents = await platform.record(batch);
      created += newEvents; // not `+= await`: concurrent batches change `created` during the await
      onRecorded(batch.length);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, work));
  return created;
}
