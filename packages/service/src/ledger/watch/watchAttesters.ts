import { isDeepStrictEqual } from 'node:util';
import { concentrationOf } from '../../domain/concentration.js';
import { type ScoreState, watchedAttestersOf } from '../../domain/crossings.js';
import type { Tx } from '../../kit/db/database.js';
import { readsOfMembers } from '../links/recordReads.js';
import { countByParty, type LedgerPosition } from '../profile/concentrationStore.js';
import type { Positions, ScoreChange } from '../recompute/scoreChange.js';
import type { PublishedDetail } from './watchStore.js';

type Attesters = Pick<ScoreState, 'attesters'>;

/**
 * The parties behind these changes, before and after. No table counts them, since every append
 * would pay for it. So the events of the record are read, and only of subjects that such a policy
 * watches. A change without new events changes no party.
 */
export async function findAttesters(
  tx: Tx,
  changes: readonly ScoreChange[],
  published: ReadonlyMap<string, PublishedDetail>,
): Promise<{ before: Map<ScoreChange, Attesters>; after: Map<ScoreChange, Attesters> }> {
  const positionsOf = ({ subjectId }: ScoreChange) => published.get(subjectId)?.positions ?? {};
  const moved = changes.filter((change) => !isDeepStrictEqual(positionsOf(change), change.positions));
  if (moved.length === 0) return { before: new Map(), after: new Map() };
  const records = [...moved.map(positionsOf), ...moved.map(({ positions }) => positions)];
  const reads = await readsOfMembers(
    tx,
    records.flatMap((positions) => Object.keys(positions)),
  );
  const counts = await countByParty(reads, records.map(ledgerOf));
  const figures = counts.map((rows) => ({ attesters: watchedAttestersOf(concentrationOf(rows)) }));
  const before = new Map(moved.map((change, index) => [change, figures[index] ?? {}]));
  const after = new Map(moved.map((change, index) => [change, figures[moved.length + index] ?? {}]));
  return { before, after };
}

function ledgerOf(positions: Positions): LedgerPosition[] {
  return Object.entries(positions).map(([subjectId, position]) => ({ subjectId, position }));
}
