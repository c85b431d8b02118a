import { fail } from '../../domain/errors.js';
import type { Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { recordActivities, recordActivity } from '../activity.js';
import { findBursts, unfreezeScores } from '../recompute/velocity.js';
import { lockRecordsOf } from './lockRecords.js';
import { dropScores, insertFacts, lockMembers, type Member, moveSubjects, queueRecords } from './store.js';

/*
 * Linked subjects share a record, and so a score (RULES L2). Alone, a subject's record has the subject's own id. Both acts
 * take the locks of recompute workers first and the subjects' rows second: see linksHold and linksStore for what each of
 * them keeps still. An append that came before is in the ledger when the record is computed; one that comes after
 * queues the record its subject is in by then. What is queued for a record that has no members any more comes to nothing: the
 * records its members went to are queued here.
 */

interface LinkAct {
  ids: IdSource;
  now: Date;
  /** Of the platform that asks, as in Activity. Other platforms read `service`: they do not learn who it was. */
  actor: string;
}

/**
 * Makes a subject a member of the record that another subject is in; two that are alone begin a record. Answers how many
 * platforms know the record now. Throws CONFLICT where the two cannot be one.
 */
export async function linkSubjects(
  tx: Tx,
  { ids, now, actor }: LinkAct,
  subjectId: string,
  hostId: string,
): Promise<number> {
  const held = await lockRecordsOf(tx, [subjectId, hostId]);
  const members = await lockMembers(tx, [...new Set(held.map(({ recordId }) => recordId))]);
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
 * Takes a subject out of the record it shares; the last one to stay behind is alone again as well. Throws NOT_FOUND for a
 * subject that shares none. Both sides are computed over their own events. A freeze stays with the side whose members
 * reported the burst, and with both where each did, so unlinking is never a way out of a review; the frozen figures lose the other
 * side's events and gain none (lastCounted). Where no burst is found any more the freeze stays with all members.
 */
export async function unlinkSubject(tx: Tx, act: UnlinkAct, subjectId: string): Promise<void> {
  const { ids, now, actor } = act;
  const [held] = await lockRecordsOf(tx, [subjectId]);
  if (!held || held.recordId === subjectId) {
    return fail('NOT_FOUND', {
      message: 'This subject is not linked to any other, so there is nothing to undo.',
    });
  }
  const { recordId } = held;
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
  if (!member) throw new Error(`subject ${subjectId} is not in the record it was found in`);
  return member;
}

function isAlone({ subjectId, recordId }: Member): boolean {
  return recordId === subjectId;
}

/** Who may become one (RULES L4). A frozen record takes nobody in: its figures stand still, and so must what they are of. */
function assertLinkable(joining: Member, hosts: readonly Member[]): void {
  if (!isAlone(joining)) {
    fail('CONFLICT', {
      message: 'This subject is linked already. To link it elsewhere, undo that link first.',
    });
  }
  if (hosts.some(({ platformId }) => platformId === joining.platformId)) {
    fail('CONFLICT', {
      message: 'Your platform has a subject on this record already; one of a platform is enough.',
    });
  }
  if (hosts.some(({ subjectType }) => subjectType !== joining.subjectType)) {
    fail('CONFLICT', { message: 'The two subjects are of different types, so they cannot be the same one.' });
  }
  if ([joining, ...hosts].some(({ isFrozen }) => isFrozen)) {
    fail('CONFLICT', {
      message: 'One of the two scores is under review. Link the subjects once it moves again.',
    });
  }
}

interface LinkActivity {
  action: 'SUBJECT_LINKED' | 'SUBJECT_UNLINKED';
  member: Member;
  actor: string;
  /** How many know the member's record now. Which ones, nobody is told. */
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
