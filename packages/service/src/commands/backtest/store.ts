import type { Queryable } from '../../kit/db/database.js';

export interface NamedPlatform {
  readonly platformId: string;
  readonly name: string;
}

/** The platforms with this id or name. */
export function findPlatforms(db: Queryable, idOrName: string): Promise<NamedPlatform[]> {
  return db.query('select platform_id, name from platform where platform_id::text = $1 or name = $1', [
    idOrName,
  ]);
}
