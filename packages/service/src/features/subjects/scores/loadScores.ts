import { serviceError } from '../../../domain/errors.js';
import { createBatcher } from '../../../kit/batcher.js';
import type { Database, Engine } from '../../../kit/db/database.js';
import { findScores, type StoredScore } from '../../../ledger/reads/publishedScores.js';

/** Null for a subject without a score. */
export type LoadScore = (subjectId: string) => Promise<StoredScore | null>;

const MAX_IDS_PER_QUERY = 500;
/** Past this queries only take each other's time; what waits shares the next one. The embedded database does one at a time. */
const MAX_QUERIES_AT_ONCE = { postgresql: 2, pglite: 1 } as const satisfies Record<Engine, number>;
const MAX_WAITING_READS = 20_000;

/** Reads of single scores that arrive together share one query: most of what a read costs is the way to the database and back. */
export function createScoreLoader(db: Database): LoadScore {
  const reads = createBatcher<string, StoredScore | null>({
    run: async (subjectIds) => {
      const scores = await findScores(db, [...new Set(subjectIds)]);
      return subjectIds.map((subjectId) => scores.get(subjectId) ?? null);
    },
    maxWeight: MAX_IDS_PER_QUERY,
    concurrency: MAX_QUERIES_AT_ONCE[db.engine],
    maxWaiting: MAX_WAITING_READS,
    refuse: () => serviceError('OVERLOADED'),
  });
  return (subjectId) => reads.submit(subjectId);
}
