import { HOUR_MS } from '../../domain/timestamp.js';
import type { Clock } from '../../kit/clock.js';
import type { Tx } from '../../kit/db/database.js';
import { type IdSource, lowestIdAt } from '../../kit/ids.js';
import { recordActivities } from '../activity.js';
import { knownPlatform } from '../groups/platforms.js';
import { type RecordFreeze, upsertRecordFreeze } from '../links/remoteStore.js';
import type { Elsewhere } from './elsewhere.js';
import { freezeScores, recordThaw, unfreezeScores } from './freezes.js';
import { hasMoreEventsThan, type MemberRow } from './store.js';
import { restartCounts, velocityLimitOf } from './velocity.js';

interface FreezeDeps {
  clock: Clock;
  ids: IdSource;
  velocityMaxPerHour: number;
}

interface FreezableRecord {
  recordId: string;
  members: readonly MemberRow[];
  elsewhere: Elsewhere;
}

interface Frozen {
  /** Null: not frozen. */
  frozenAt: Date | null;
  /** The state of a record over groups. */
  state: RecordFreeze;
  /** Other groups do not know the state yet. */
  isChanged: boolean;
  /** It was frozen until now: another group has ended the freeze. */
  isThawed: boolean;
}

/**
 * Freezes the record if a member has more events than the guard allows. For a record over groups,
 * also takes over what another group has decided.
 */
export async function frozenSince(
  tx: Tx,
  deps: FreezeDeps,
  now: Date,
  record: FreezableRecord,
): Promise<Frozen> {
  const { recordId, members, elsewhere } = record;
  const known = elsewhere.freeze;
  const own = members.find((member) => member.frozenAt)?.frozenAt ?? null;
  const isOver = elsewhere.members.length > 0;
  if (isOver && known.frozenAt && !own) {
    await freezeRecord(tx, deps, record, known.frozenAt);
    return unchanged(known.frozenAt);
  }
  if (isOver && known.endedAt && !known.frozenAt && own) {
    await thawMembers(tx, deps, members, known.endedAt);
    return { ...unchanged(null), isThawed: true };
  }
  // A member that joins a frozen record is frozen, too, and has a fact that says so.
  if (own && members.some(isUnfrozen)) await freezeScores(tx, [recordId], own);
  if (own || !(await hasBurst(tx, deps, now, members))) return unchanged(own);
  await freezeRecord(tx, deps, record, now);
  if (!isOver) return unchanged(now);
  const state = { freezeNo: known.freezeNo + 1, frozenAt: now, endedAt: known.endedAt };
  await upsertRecordFreeze(tx, recordId, state);
  return { frozenAt: now, state, isChanged: true, isThawed: false };

  function unchanged(frozenAt: Date | null): Frozen {
    return { frozenAt, state: known, isChanged: false, isThawed: false };
  }
}

function isUnfrozen({ externalId, frozenAt }: MemberRow): boolean {
  return externalId !== null && frozenAt === null;
}

async function hasBurst(
  tx: Tx,
  deps: FreezeDeps,
  now: Date,
  members: readonly MemberRow[],
): Promise<boolean> {
  for (const member of members) {
    const limit = velocityLimitOf(member.subjectType, deps.velocityMaxPerHour);
    if (member.eventCount <= limit || !member.livemode) continue;
    const hourAgo = now.getTime() - HOUR_MS;
    const since = new Date(Math.max(hourAgo, member.velocityClearedAt?.getTime() ?? 0));
    if (!(await hasMoreEventsThan(tx, member.subjectId, lowestIdAt(since), limit))) continue;
    if (!(await knownPlatform(tx, member.platformId)).velocityExempt) return true;
  }
  return false;
}

/**
 * Freezes the members in this group. Each platform finds the freeze in its own audit trail, on its
 * own subject: it applies to all members.
 */
async function freezeRecord(
  tx: Tx,
  { ids, velocityMaxPerHour, clock }: FreezeDeps,
  { recordId, members }: FreezableRecord,
  frozenAt: Date,
): Promise<void> {
  await freezeScores(tx, [recordId], frozenAt);
  const now = clock.now();
  await recordActivities(
    tx,
    members.map((member) => ({
      platformId: member.platformId,
      livemode: true,
      action: 'VELOCITY_FLAG_SET',
      actor: 'service',
      target: member.subjectId,
      subjectId: member.subjectId,
      details: { limit: velocityLimitOf(member.subjectType, velocityMaxPerHour), windowHours: 1 },
      at: now,
      id: ids.at(now),
    })),
  );
}

/** The operator has ended the freeze in another group. */
async function thawMembers(
  tx: Tx,
  deps: FreezeDeps,
  members: readonly MemberRow[],
  endedAt: Date,
): Promise<void> {
  const subjectIds = members.map(({ subjectId }) => subjectId);
  const freed = await unfreezeScores(tx, subjectIds, endedAt);
  await restartCounts(tx, subjectIds, endedAt);
  await recordThaw(tx, deps, freed);
}
