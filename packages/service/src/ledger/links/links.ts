import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivities, recordActivity } from '../activity.js';
import { unfreezeScores } from '../recompute/freezes.js';
import { findBursts } from '../recompute/velocity.js';
import { lockRecordsOf } from './lockRecords.js';
import { dropScores, insertFacts, lockMembers, type Member, moveSubjects, queueRecords } from './store.js';

/*
 * Linked subjects share a record, and so a score (RULES L2). An unlinked subject's record has the
 * subject's own id. Linking and unlinking first take the locks of recompute workers, then lock the
 * subjects' rows; lockRecords.ts and store.ts say what each lock protects. An earlier append is in
 * the ledger when the record is computed. A later one queues the subject's new record. Queue
 * entries of a record without members have no effect, so the members' new records are queued here.
 */

interface LinkAct {
  ids: IdSource;
  now: Date;
  /** The actor in the asking platform's audit trail. Other platforms' trails say `service`. */
  actor: string;
}

/**
 * Adds a subject to the record of another subject; two unlinked subjects start a record. Returns
 * the number of platforms in the record. Throws CONFLICT if the two cannot be linked.
 */
export async function linkSubjects(
  tx: Tx,
  { ids, now, actor }: LinkAct,
  subjectId: string,
  hostId: string,
): Promise<number> {
  const locked = await lockRecordsOf(tx, [subjectId, hostId]);
  const members = await lockMembers(tx, [...new Set(locked.map(({ recordId }) => recordId))]);
  const joining = memberOf(members, subjectId);
  const host = memberOf(members, hostId);
  const hosts = members.filter(({ recordId }) => recordId === host.recordId);
  assertLinkable(joining, hosts);
  const isNewRecord = isAlone(host);
  const recordId = isNewRecord ? ids.at(now) : host.recordId;
  const subjectIds = isNewRecord ? [hostId, subjectId] : [subjectId];
  await moveSubjects(tx, new Map(subjectIds.map((id) => [id, recordId])));
  await insertFacts(tx, ids, { subjectIds, action: 'linked', recordId, at: now });
  await queueRecords(tx, [recordId], 'linked', now);
  const platforms = hosts.length + 1;
  for (const member of [joining, ...hosts]) {
    const by = member === joining ? actor : 'service';
    await recordLinkActivity(tx, ids, now, { action: 'SUBJECT_LINKED', member, actor: by, platforms });
  }
  return platforms;
}

interface UnlinkAct extends LinkAct {
  velocityMaxPerHour: number;
}

/**
 * Removes a subject from its shared record; a single remaining member becomes unlinked too. Throws
 * NOT_FOUND for an unlinked subject. Both sides are recomputed over their own events. A freeze
 * stays with each side whose members caused the burst, so unlinking never evades a review. If no
 * burst is found any more, all members stay frozen. Frozen figures lose the other side's events and
 * gain none (lastCounted).
 */
export async function unlinkSubject(tx: Tx, act: UnlinkAct, subjectId: string): Promise<void> {
  const { ids, now, actor } = act;
  const [locked] = await lockRecordsOf(tx, [subjectId]);
  if (!locked || locked.recordId === subjectId) {
    return fail('NOT_FOUND', {
      message: 'This subject is not linked to another subject.',
    });
  }
  const { recordId } = locked;
  const members = await lockMembers(tx, [recordId]);
  const leaving = memberOf(members, subjectId);
  const staying = members.filter((member) => member !== leaving);
  const [last] = staying.length === 1 ? staying : [];
  const subjectIds = last ? [subjectId, last.subjectId] : [subjectId];
  await moveSubjects(tx, new Map(subjectIds.map((id) => [id, id])));
  const frozenIds = members.filter(({ isFrozen }) => isFrozen).map((member) => member.subjectId);
  const bursts = await findBursts(tx, frozenIds, act.velocityMaxPerHour);
  for (const part of [[leaving], staying]) {
    const hasBurst = part.some((member) => bursts.has(member.subjectId));
    if (bursts.size > 0 && !hasBurst) await unfreeze(tx, act, part);
    const hasEvents = part.some(({ eventCount }) => eventCount > 0);
    if (!hasEvents)
      await dropScores(
        tx,
        part.map((member) => member.subjectId),
      );
  }
  await insertFacts(tx, ids, { subjectIds, action: 'unlinked', recordId, at: now });
  await queueRecords(tx, [subjectId, last ? last.subjectId : recordId], 'unlinked', now);
  const common = { action: 'SUBJECT_UNLINKED' } as const;
  await recordLinkActivity(tx, ids, now, { ...common, member: leaving, actor, platforms: 1 });
  for (const member of staying) {
    await recordLinkActivity(tx, ids, now, {
      ...common,
      member,
      actor: 'service',
      platforms: staying.length,
    });
  }
}

async function unfreeze(tx: Tx, { ids, now }: LinkAct, part: readonly Member[]): Promise<void> {
  const freed = await unfreezeScores(
    tx,
    part.map(({ subjectId }) => subjectId),
    now,
  );
  await recordActivities(
    tx,
    freed.map(({ platformId, subjectId, frozenAt }) => ({
      id: ids.at(now),
      platformId,
      livemode: true,
      action: 'VELOCITY_FLAG_CLEARED',
      actor: 'service',
      target: subjectId,
      subjectId,
      details: { frozenSince: frozenAt },
      at: now,
    })),
  );
}

function memberOf(members: readonly Member[], subjectId: string): Member {
  const member = members.find((candidate) => candidate.subjectId === subjectId);
  if (!member) throw new Error(`subject ${subjectId} is missing from its own record`);
  return member;
}

function isAlone({ subjectId, recordId }: Member): boolean {
  return recordId === subjectId;
}

/**
 * Who may be linked (RULES L4). A frozen record accepts no members: its figures must not change.
 */
function assertLinkable(joining: Member, hosts: readonly Member[]): void {
  if (!isAlone(joining)) {
    fail('CONFLICT', {
      message: 'This subject is already linked. Remove that link before you create another.',
    });
  }
  if (hosts.some(({ platformId }) => platformId === joining.platformId)) {
    fail('CONFLICT', {
      message:
        'Your platform already has a subject in this record. A record has at most one subject per platform.',
    });
  }
  if (hosts.some(({ subjectType }) => subjectType !== joining.subjectType)) {
    fail('CONFLICT', {
      message: 'The two subjects have different types. Only subjects of the same type can be linked.',
    });
  }
  if ([joining, ...hosts].some(({ isFrozen }) => isFrozen)) {
    fail('CONFLICT', {
      message: 'One of the two scores is frozen for review. Link the subjects after the review.',
    });
  }
}

interface LinkActivity {
  action: 'SUBJECT_LINKED' | 'SUBJECT_UNLINKED';
  member: Member;
  actor: string;
  /** Number of platforms in the member's record. Their names are never disclosed. */
  platforms: number;
}

function recordLinkActivity(
  tx: Tx,
  ids: IdSource,
  at: Date,
  { action, member, actor, platforms }: LinkActivity,
): Promise<void> {
  const { platformId, livemode, subjectId } = member;
  return recordActivity(tx, {
    id: ids.at(at),
    platformId,
    livemode,
    action,
    actor,
    target: subjectId,
    subjectId,
    details: { platforms },
    at,
  });
}
