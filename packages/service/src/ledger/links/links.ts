import { fail } from '#domain/errors.js';
import type { Tx } from '#kit/db/database.js';
import type { IdSource } from '#kit/ids.js';
import { groupBy } from '#kit/lists.js';
import { type Activity, recordActivities } from '../activity.js';
import { findBursts, recordThaw, unfreezeScores } from '../recompute/freezes.js';
import {
  dropScores,
  insertFacts,
  lockRecord,
  moveSubjects,
  type Placed,
  type PlacedMember,
  queueRecord,
} from './lockRecord.js';
import { alignFreeze, groupsOf, noteFreeze, shareMembers } from './remoteMembers.js';

/*
 * Linked subjects share a record, and so a score (RULES L2). An unlinked subject's record has the
 * subject's own id. Linking and unlinking first take the locks of recompute workers, then lock the
 * subjects' rows; lockRecord.ts and store.ts say what each lock protects. An earlier append is in
 * the ledger when the record is computed. A later one queues the subject's new record. Queue
 * entries of a record without members have no effect, so the members' new records are queued here.
 *
 * Members may live in several ledger groups. One transaction changes all of these groups, and each
 * gets what it has to know of members elsewhere (remoteMembers.ts).
 */

interface LinkAct {
  ids: IdSource;
  now: Date;
  /** The actor in the asking platform's audit trail. Other platforms' trails say `service`. */
  actor: string;
}

/** Two unlinked subjects start a record. Throws CONFLICT if the two cannot be linked. */
export async function linkSubjects(tx: Tx, act: LinkAct, subject: Placed, host: Placed) {
  const { ids, now, actor } = act;
  const members = await lockRecord(tx, [subject, host]);
  const joining = memberOf(members, subject.subjectId);
  const hosting = memberOf(members, host.subjectId);
  const hosts = members.filter(({ recordId }) => recordId === hosting.recordId);
  assertLinkable(joining, hosts);
  const isNewRecord = isAlone(hosting);
  const recordId = isNewRecord ? ids.at(now) : hosting.recordId;
  const moving = isNewRecord ? [hosting, joining] : [joining];
  await inEach(tx, moving, async (tx, own) => {
    const subjectIds = idsOf(own);
    await moveSubjects(tx, subjectIds, recordId);
    await insertFacts(tx, ids, { subjectIds, action: 'linked', recordId, at: now });
  });
  const all = [joining, ...hosts];
  await inEach(tx, all, async (tx, own) => {
    await queueRecord(tx, recordId, 'linked', now);
    await recordActivities(
      tx,
      own.map((member) =>
        activityOf(act, 'SUBJECT_LINKED', member, member === joining ? actor : 'service', all.length),
      ),
    );
  });
  await shareMembers(tx, recordId, all);
  return { platforms: all.length, groups: groupsOf(all) };
}

interface UnlinkAct extends LinkAct {
  velocityMaxPerHour: number;
}

/**
 * Removes a subject from its shared record; a single remaining member becomes unlinked too. Throws NOT_FOUND
 * for an unlinked subject. Both sides are recomputed over their own events. A freeze stays with each side
 * whose members caused the burst, so unlinking never evades a review. If no burst is found any more, all
 * members stay frozen. Frozen figures lose the other side's events and gain none (asLastCounted).
 */
export async function unlinkSubject(tx: Tx, act: UnlinkAct, subject: Placed) {
  const { ids, now, actor } = act;
  const { subjectId } = subject;
  const locked = await lockRecord(tx, [subject]);
  const { recordId } = locked.find((member) => member.subjectId === subjectId) ?? { recordId: subjectId };
  if (recordId === subjectId) {
    return fail('NOT_FOUND', { message: 'This subject is not linked to another subject.' });
  }
  const members = await alignFreeze(tx, now, recordId, locked);
  const leaving = memberOf(members, subjectId);
  const staying = members.filter((member) => member !== leaving);
  const [last] = staying.length === 1 ? staying : [];
  const gone = last ? [leaving, last] : [leaving];
  await inEach(tx, gone, (tx, own) => moveSubjects(tx, idsOf(own), null));
  const thawed = await unfreezeInnocent(tx, act, [[leaving], staying]);
  for (const part of [[leaving], staying]) {
    if (part.some(({ eventCount }) => eventCount > 0)) continue;
    await inEach(tx, part, async (tx, own) => {
      // A freeze ends with the score.
      await unfreezeScores(tx, idsOf(own), now);
      await dropScores(tx, idsOf(own));
    });
  }
  await inEach(tx, gone, (tx, own) =>
    insertFacts(tx, ids, { subjectIds: idsOf(own), action: 'unlinked', recordId, at: now }),
  );
  await tx.inLedger(leaving.group, (tx) => queueRecord(tx, subjectId, 'unlinked', now));
  await inEach(tx, staying, (tx) => queueRecord(tx, last ? last.subjectId : recordId, 'unlinked', now));
  await inEach(tx, members, (tx, own) =>
    recordActivities(
      tx,
      own.map((member) =>
        member === leaving
          ? activityOf(act, 'SUBJECT_UNLINKED', member, actor, 1)
          : activityOf(act, 'SUBJECT_UNLINKED', member, 'service', staying.length),
      ),
    ),
  );
  await shareMembers(tx, recordId, last ? [] : staying, members);
  if (!last) await noteFreeze(tx, recordId, staying, thawed.has(staying) ? now : null);
  return { platforms: staying.length, groups: groupsOf(members) };
}

/** Ends the freeze of the parts of a record without a burst, if another part has one. Returns them. */
async function unfreezeInnocent(
  tx: Tx,
  act: UnlinkAct,
  parts: readonly (readonly PlacedMember[])[],
): Promise<Set<readonly PlacedMember[]>> {
  const frozen = parts.flat().filter(({ isFrozen }) => isFrozen);
  const bursts = new Set<string>();
  await inEach(tx, frozen, async (tx, own) => {
    for (const id of await findBursts(tx, idsOf(own), act.velocityMaxPerHour)) bursts.add(id);
  });
  const innocent = parts.filter((part) => !part.some((member) => bursts.has(member.subjectId)));
  if (bursts.size === 0) return new Set();
  for (const part of innocent) {
    await inEach(tx, part, async (tx, own) => {
      const freed = await unfreezeScores(tx, idsOf(own), act.now);
      await recordThaw(tx, act, freed, act.now, 'service');
    });
  }
  return new Set(innocent);
}

/** Runs `work` on the tables of each group in which some of these members live. */
async function inEach(
  tx: Tx,
  members: readonly PlacedMember[],
  work: (tx: Tx, own: readonly PlacedMember[]) => Promise<unknown>,
): Promise<void> {
  for (const [group, own] of groupBy(members, (member) => member.group)) {
    await tx.inLedger(group, (tx) => work(tx, own));
  }
}

function idsOf(members: readonly PlacedMember[]): string[] {
  return members.map(({ subjectId }) => subjectId);
}

function memberOf(members: readonly PlacedMember[], subjectId: string): PlacedMember {
  const member = members.find((candidate) => candidate.subjectId === subjectId);
  if (!member) throw new Error(`subject ${subjectId} is missing from its own record`);
  return member;
}

function isAlone({ subjectId, recordId }: PlacedMember): boolean {
  return recordId === subjectId;
}

function assertLinkable(joining: PlacedMember, hosts: readonly PlacedMember[]): void {
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
  const isOfOtherType = hosts.some(({ subjectType }) => subjectType !== joining.subjectType);
  // One sentence for both: it must not tell a platform that another platform's subject is reviewed.
  if (isOfOtherType || [joining, ...hosts].some(({ isFrozen }) => isFrozen)) {
    fail('CONFLICT', {
      message:
        'These two subjects cannot be linked at this time. Check that both have the same type, or try again later.',
    });
  }
}

/** @param platforms in the member's record. Their names are never disclosed. */
function activityOf(
  { ids, now }: LinkAct,
  action: 'SUBJECT_LINKED' | 'SUBJECT_UNLINKED',
  { platformId, livemode, subjectId }: PlacedMember,
  actor: string,
  platforms: number,
): Activity {
  const target = subjectId;
  return {
    id: ids.at(now),
    platformId,
    livemode,
    action,
    actor,
    target,
    subjectId,
    details: { platforms },
    at: now,
  };
}
