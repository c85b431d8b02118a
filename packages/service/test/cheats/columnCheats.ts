import type { TestService } from '#harness/service.js';
import { outcome, report } from '../features/intake/eventFixtures.js';
import { finished, sendImport } from '../features/intake/importFixtures.js';
import { ELSEWHERE } from '../features/subjects/subjectFixtures.js';
import type { Cheat } from './cheats.js';

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
}

async function ask(service: TestService, method: string, path: string, body: object): Promise<void> {
  const { status, text } = await service.request(method, path, { body });
  if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${text}`);
}

/** One statement about a subject of `reportColumns`. */
function about(externalId: string, text: string): Cheat['play'] {
  const subject = `subject_id = (select subject_id from subject where external_id = '${externalId}')`;
  return async (tx) => {
    if ((await tx.execute(text.replace('OF_SUBJECT', `where ${subject}`))) === 0)
      throw new Error(`nothing was changed by: ${text}`);
  };
}

function ofWorker(text: string): Cheat['play'] {
  return about('worker-1', text);
}

/** Columns that decide what a reader sees, each changed by itself. */
export const columnCheats: readonly Cheat[] = [
  {
    name: 'lets a dispute lapse later',
    play: about('disputed', `update dispute set respond_by = respond_by + interval '30 days' OF_SUBJECT`),
    noticedBy: ['audit'],
  },
  {
    name: 'lets a dispute lapse later, and changes the stored window of disputes with it',
    async play(tx, scene) {
      await about('disputed', `update dispute set respond_by = opened_at + interval '30 days' OF_SUBJECT`)(
        tx,
        scene,
      );
      await tx.execute('update setting_in_force set value = 2592000000');
    },
    noticedBy: ['audit'],
  },
  {
    name: 'says that a dispute lapsed',
    play: about('resolved', 'update dispute set lapsed = true OF_SUBJECT'),
    noticedBy: ['audit'],
  },
  {
    name: 'marks a reported event as imported',
    play: ofWorker('update event set imported = true OF_SUBJECT and position = 2'),
    noticedBy: ['audit'],
  },
  {
    name: 'marks an imported event as reported',
    play: about('imported', 'update event set imported = false OF_SUBJECT and position = 2'),
    noticedBy: ['audit'],
  },
  {
    name: 'marks an imported event as reported, and counts one less for its import',
    async play(tx, scene) {
      await about('imported', 'update event set imported = false OF_SUBJECT and position = 2')(tx, scene);
      await tx.execute('update import_job set created_count = created_count - 1');
    },
    noticedBy: [],
  },
  {
    name: 'marks an imported event as reported, and for it an event from after the import as imported',
    async play(tx, scene) {
      await about('imported', 'update event set imported = false OF_SUBJECT and position = 2')(tx, scene);
      await ofWorker('update event set imported = true OF_SUBJECT and position = 6')(tx, scene);
    },
    noticedBy: ['audit'],
  },
  {
    name: 'says that an outcome rests on the word of an operator',
    play: ofWorker('update event set by_operator = true OF_SUBJECT and position = 2'),
    noticedBy: ['audit'],
  },
  {
    name: 'denies that an outcome rests on the word of the operator, whose agent it is about',
    play: about('own-agent', 'update event set by_operator = false OF_SUBJECT'),
    noticedBy: ['audit'],
  },
  {
    name: 'says so of an unverified outcome of an agent that has an operator',
    play: about('agent', 'update event set by_operator = true OF_SUBJECT'),
    noticedBy: [],
  },
  {
    name: 'lets a declaration apply to earlier or later events',
    play: about('agent', 'update declaration_fact set after_position = 1 OF_SUBJECT'),
    noticedBy: ['audit'],
  },
  {
    name: 'changes the components of a past score',
    play: ofWorker(
      `update score_snapshot set components = '{"reliability":100,"timeliness":100}' OF_SUBJECT and snapshot_no = 2`,
    ),
    noticedBy: ['audit'],
  },
  {
    name: 'changes the reasons of a past score',
    play: ofWorker(
      `update score_snapshot set reason_codes = '{"adverse":[],"supporting":[]}' OF_SUBJECT and snapshot_no = 2`,
    ),
    noticedBy: ['audit'],
  },
  {
    name: 'says that a past score changed by ageing',
    play: ofWorker(`update score_snapshot set reason = 'decay' OF_SUBJECT and snapshot_no = 3`),
    noticedBy: ['audit'],
  },
  {
    name: 'says that a past score changed by the end of a freeze',
    play: ofWorker(`update score_snapshot set reason = 'velocity_cleared' OF_SUBJECT and snapshot_no = 3`),
    noticedBy: ['audit'],
  },
  {
    name: 'marks a past score as one that retention keeps',
    play: ofWorker('update score_snapshot set is_kept = true OF_SUBJECT and snapshot_no = 2'),
    noticedBy: ['audit'],
  },
  {
    name: 'deletes a past score, as retention does',
    play: ofWorker('delete from score_snapshot OF_SUBJECT and snapshot_no = 2'),
    noticedBy: ['audit'],
  },
  {
    name: 'deletes a past score with its leaf',
    async play(tx, scene) {
      await ofWorker('delete from score_snapshot OF_SUBJECT and snapshot_no = 2')(tx, scene);
      await ofWorker('delete from log_fact OF_SUBJECT and kind = 2 and ref = 2')(tx, scene);
    },
    noticedBy: ['audit'],
  },
  {
    name: 'hides a subject without a score from every list',
    play: about('idle-agent', 'update subject set is_scored = true OF_SUBJECT'),
    noticedBy: ['audit'],
  },
  {
    name: 'lets the guard against bursts count from another time',
    play: ofWorker('update subject set velocity_cleared_at = now() OF_SUBJECT'),
    noticedBy: ['audit'],
  },
  {
    name: 'shares a profile that was not shared',
    play: about('disputed', 'update share_token set include_profile = true OF_SUBJECT'),
    noticedBy: [],
  },
  {
    name: 'adds a qualification',
    play: ofWorker(
      `insert into qualification (subject_id, qualification_id, platform_id, livemode, event_type, title, is_verified, verified_by, created_at)
       select subject_id, gen_random_uuid(), platform_id, livemode, 'SKILL_VERIFIED', 'Welding', true, 'somebody', now()
       from subject OF_SUBJECT`,
    ),
    noticedBy: [],
  },
  {
    name: 'changes the time of day of a score',
    play: ofWorker(
      `update score set computed_at = date_trunc('day', computed_at at time zone 'UTC') at time zone 'UTC' OF_SUBJECT`,
    ),
    noticedBy: [],
  },
];
