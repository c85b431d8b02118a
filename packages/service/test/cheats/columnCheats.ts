import type { TestService } from '#harness/service.js';
import { ANSWER, objected, recordToken } from '../features/attestation/reviewFixtures.js';
import { outcome, report } from '../features/intake/eventFixtures.js';
import { finished, sendImport } from '../features/intake/importFixtures.js';
import { ELSEWHERE } from '../features/subjects/subjectFixtures.js';

/** What the cheats of this page are about, reported by the platform of the tests. */
export async function reportColumns(service: TestService): Promise<void> {
  const breach = { eventType: 'CONTRACT_BREACHED', isVerified: true };
  for (const userId of ['disputed', 'resolved']) {
    const { body } = await report(service, outcome({ userId, ...breach }));
    await ask(service, 'POST', '/disputes', { eventId: body.eventId });
  }
  const { body } = await service.request('GET', '/disputes?status=OPEN');
  const { id } = body.disputes.find((dispute: { userId: string }) => dispute.userId === 'resolved');
  await ask(service, 'PATCH', `/disputes/${id}/resolve`, {});
  const rows = ['imported', 'imported'].map((worker) => `${worker},2024-03-01`);
  const mapping = {
    userId: { path: 'worker' },
    eventType: { constant: 'CONTRACT_FULFILLED' },
    completedAt: { path: 'done', transform: 'iso_date' },
  };
  const sent = await sendImport(service, ['worker,done', ...rows].join('\n'), { mapping });
  await finished(service, sent.body.importId);
  for (const userId of ['agent', 'idle-agent'])
    await ask(service, 'POST', '/agents', { userId, ...ELSEWHERE });
  await ask(service, 'POST', '/agents', { userId: 'own-agent' });
  for (const userId of ['agent', 'own-agent']) await report(service, outcome({ userId }));
  await ask(service, 'POST', '/users/disputed/share-token', {});
  await objected(service, await recordToken(service, 'disputed'));
  const review = await objected(service, await recordToken(service, 'resolved'));
  await ask(service, 'POST', `/reviews/${review.id}/answer`, ANSWER);
}

async function ask(service: TestService, method: string, path: string, body: object): Promise<void> {
  const { status, text } = await service.request(method, path, { body });
  if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${text}`);
}

/** The rows of a subject of the platform of the tests. */
export function of(externalId: string): string {
  return `where subject_id = (select subject_id from subject where external_id = '${externalId}')`;
}

const OF_SUBJECT = of('worker-1');
const PAST_SCORE = `${OF_SUBJECT} and snapshot_no = 2`;
const AS_REPORTED = `update event set imported = false ${of('imported')} and position = 2`;

/** Columns that decide what a reader sees, each changed by itself. */
export const columnCheats: Readonly<Record<string, readonly string[]>> = {
  'lets a dispute lapse later': [
    `update dispute set respond_by = respond_by + interval '30 days' ${of('disputed')}`,
  ],
  'lets a dispute lapse later, and changes the stored window of disputes with it': [
    `update dispute set respond_by = opened_at + interval '30 days' ${of('disputed')}`,
    'update setting_in_force set value = 2592000000',
  ],
  'lets a review be answered later': [
    `update review set respond_by = respond_by + interval '30 days' ${of('disputed')}`,
  ],
  'deletes a review that nobody answered': [`delete from review ${of('disputed')}`],
  'says that a late answer to a review was in time': [
    `update review set respond_by = answered_at + interval '1 hour' ${of('resolved')}`,
  ],
  'says that a dispute lapsed': [`update dispute set lapsed = true ${of('resolved')}`],
  'marks a reported event as imported': [`update event set imported = true ${OF_SUBJECT} and position = 2`],
  'marks an imported event as reported': [AS_REPORTED],
  'marks an imported event as reported, and counts one less for its import': [
    AS_REPORTED,
    'update import_job set created_count = created_count - 1',
  ],
  'marks an imported event as reported, and for it an event from after the import as imported': [
    AS_REPORTED,
    `update event set imported = true ${OF_SUBJECT} and position = 6`,
  ],
  'says that an outcome rests on the word of an operator': [
    `update event set by_operator = true ${OF_SUBJECT} and position = 2`,
  ],
  'denies that an outcome rests on the word of the operator, whose agent it is about': [
    `update event set by_operator = false ${of('own-agent')}`,
  ],
  'says so of an unverified outcome of an agent that has an operator': [
    `update event set by_operator = true ${of('agent')}`,
  ],
  'lets a declaration apply to earlier or later events': [
    `update declaration_fact set after_position = 1 ${of('agent')}`,
  ],
  'changes the components of a past score': [
    `update score_snapshot set components = '{"reliability":100,"timeliness":100}' ${PAST_SCORE}`,
  ],
  'changes the reasons of a past score': [
    `update score_snapshot set reason_codes = '{"adverse":[],"supporting":[]}' ${PAST_SCORE}`,
  ],
  'says that a past score changed by ageing': [
    `update score_snapshot set reason = 'decay' ${OF_SUBJECT} and snapshot_no = 3`,
  ],
  'says that a past score changed by the end of a freeze': [
    `update score_snapshot set reason = 'velocity_cleared' ${OF_SUBJECT} and snapshot_no = 3`,
  ],
  'marks a past score as one that retention keeps': [
    `update score_snapshot set is_kept = true ${PAST_SCORE}`,
  ],
  'deletes a past score, as retention does': [`delete from score_snapshot ${PAST_SCORE}`],
  'deletes a past score with its leaf': [
    `delete from score_snapshot ${PAST_SCORE}`,
    `delete from log_fact ${OF_SUBJECT} and kind = 2 and ref = 2`,
  ],
  'hides a subject without a score from every list': [
    `update subject set is_scored = true ${of('idle-agent')}`,
  ],
  'lets the guard against bursts count from another time': [
    `update subject set velocity_cleared_at = now() ${OF_SUBJECT}`,
  ],
  'shares a profile that was not shared': [`update share_token set include_profile = true ${of('disputed')}`],
  'adds a qualification': [
    `insert into qualification (subject_id, qualification_id, platform_id, livemode, event_type, title, is_verified, verified_by, created_at)
     select subject_id, gen_random_uuid(), platform_id, livemode, 'SKILL_VERIFIED', 'Welding', true, 'somebody', now()
     from subject ${OF_SUBJECT}`,
  ],
  'changes the time of day of a score': [
    `update score set computed_at = date_trunc('day', computed_at at time zone 'UTC') at time zone 'UTC' ${OF_SUBJECT}`,
  ],
};
