import type { Queryable } from './types.js';

/** What decides whether the service can run on a server. */
export interface ServerFacts {
  /** `server_version_num`: 150008 is 15.8. */
  readonly version: number;
  readonly now: Date;
}

export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const [row] = await db.query<ServerFacts>(
    `select current_setting('server_version_num')::integer as version, clock_timestamp() as now`,
  );
  if (!row) throw new Error('the server did not answer');
  return row;
}
