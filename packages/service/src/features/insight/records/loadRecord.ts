import type { Queryable } from '../../../kit/db/database.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import type { ProjectedRecord } from './projection.js';
import { findRecordTallies } from './store.js';

/** A subject's record with the score that `GET /users/{id}/score` reads; empty for a subject that nobody knows. */
export async function loadRecord(db: Queryable, subjectId: string): Promise<ProjectedRecord> {
  const [tallies, scores] = await Promise.all([
    findRecordTallies(db, subjectId),
    findScores(db, [subjectId]),
  ]);
  const score = scores.get(subjectId);
  if (!score) return { tallies, published: null };
  const { finalScore, scoreBand, frozen } = score;
  return { tallies, published: { score: finalScore, band: scoreBand, frozen } };
}
