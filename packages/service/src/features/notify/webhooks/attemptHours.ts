import { HOUR_MS } from '../../../domain/timestamp.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { lowestIdAt } from '../../../kit/ids.js';
import type { AttemptHours } from './deliverySchemas.js';

/** GET /webhooks/attempts: the attempts of every endpoint by hour, newest endpoint first. */
export async function attemptHours(
  db: Queryable,
  owner: Owner,
  { hours, now }: { hours: number; now: Date },
): Promise<AttemptHours> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const from = thisHour - (hours - 1) * HOUR_MS;
  const starts = Array.from({ length: hours + 1 }, (_, hour) => lowestIdAt(new Date(from + hour * HOUR_MS)));
  const endpoints = await countAttempts(db, owner, starts);
  return { from: new Date(from), to: now, endpoints };
}

/**
 * Counts in the two indexes by endpoint, of all attempts and of the failed ones, so that no row is
 * read.
 * @param starts of the hours, and the end of the last one, as ids.
 */
function countAttempts(
  db: Queryable,
  { platformId, livemode }: Owner,
  starts: readonly string[],
): Promise<AttemptHours['endpoints']> {
  return db.query<AttemptHours['endpoints'][number]>(
    `select webhook_id, array_agg(attempts - failed order by hour) as succeeded, array_agg(failed order by hour) as failed
     from (
       select w.webhook_id, hour, (
         select count(*)::integer from delivery d
         where d.webhook_id = w.webhook_id and d.delivery_id >= first and d.delivery_id < next
       ) as attempts, (
         select count(*)::integer from delivery d
         where d.webhook_id = w.webhook_id and d.delivery_id >= first and d.delivery_id < next and d.status = 'failed'
       ) as failed
       from webhook w cross join unnest($3::uuid[], $4::uuid[]) with ordinality as span (first, next, hour)
       where w.platform_id = $1 and w.livemode = $2
     ) as counted
     group by webhook_id order by webhook_id desc`,
    [platformId, livemode, starts.slice(0, -1), starts.slice(1)],
  );
}
