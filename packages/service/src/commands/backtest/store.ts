import type { Queryable } from '../../kit/db/database.js';

export interface FoundPlatform {
  readonly platformId: string;
  readonly group: number;
}

export function findPlatforms(db: Queryable, idOrName: string): Promise<FoundPlatform[]> {
  return db.query(
    'select platform_id, group_id as "group" from platform where platform_id::text = $1 or name = $1',
    [idOrName],
  );
}
