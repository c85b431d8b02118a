/**
 * When the event of a row happened, as SQL: `occurredAt` of @reliability/scoring.
 * @param row the alias of table `event`.
 */
export function occurredAtOf(row: string): string {
  return `least(coalesce(${row}.completed_at, ${row}.due_date, ${row}.created_at), ${row}.created_at)`;
}

/**
 * The UTC day of a timestamp as SQL, in whole days since 1970-01-01: `dayOf` of
 * @reliability/scoring.
 */
export function dayOfTime(timestamp: string): string {
  return `((${timestamp} at time zone 'UTC')::date - date '1970-01-01')`;
}
