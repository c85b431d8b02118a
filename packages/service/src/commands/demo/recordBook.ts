import type { Book } from './book.js';
import type { DemoPlatform } from './joinPlatform.js';

const BATCH = 100;
/** Enough to keep the service busy while answers travel. */
const BATCHES_UNDER_WAY = 4;

/**
 * Reports the book's events, oldest first, in batches.
 * @param onRecorded told of each batch how many events it held.
 * @returns how many events are new.
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
      const fresh = await platform.record(batch);
      created += fresh; // apart: another batch may have been added while this one was under way
      onRecorded(batch.length);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, work));
  return created;
}
