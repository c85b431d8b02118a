import { type ConfirmationReminder, REMINDER_NOTE } from '#domain/envelopes/platformEnvelopes.js';
import { HOUR_MS } from '#domain/timestamp.js';
import type { Tx } from '#kit/db/database.js';
import { pick } from '#kit/db/rows.js';
import { inSlices, SLICE_ROWS, type Slice, type Sweep } from '#ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { attestationUrls } from '../attestations/tokens.js';
import { confirmation, type DueReminder, findDue, markReminded, type Stage } from './kind.js';

type ReminderDeps = Pick<ServiceDeps, 'config' | 'db' | 'ids' | 'wakes'>;

/**
 * The sweep `reminders` (RULES A11). The mark and the envelope commit together, so a process that
 * dies in between has written neither.
 */
export function sendReminders(deps: ReminderDeps): Sweep {
  const { confirmationReminderAfterHours, confirmationExpiringWithinHours } = deps.config;
  return async (now, until) => {
    const dueBy: Readonly<Record<Stage, Date>> = {
      awaiting_response: hoursFrom(now, -confirmationReminderAfterHours),
      expiring_soon: hoursFrom(now, confirmationExpiringWithinHours),
    };
    let emitted = 0;
    for (const stage of ['awaiting_response', 'expiring_soon'] as const) {
      emitted += await inSlices(deps.db, `confirmations ${stage}`, until, (tx) =>
        remind(tx, deps, stage, { now, by: dueBy[stage] }),
      );
    }
    if (emitted > 0) deps.wakes.raise('deliveries');
    return emitted;
  };
}

function hoursFrom(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR_MS);
}

async function remind(
  tx: Tx,
  { ids, config }: ReminderDeps,
  stage: Stage,
  moments: { now: Date; by: Date },
): Promise<Slice> {
  const { now } = moments;
  const keys = await findDue(tx, stage, moments, SLICE_ROWS);
  const due = await markReminded(tx, stage, keys, now);
  const drafts = due.map(
    (request): EnvelopeDraft => ({
      type: `confirmation.${stage}`,
      platformId: request.platformId,
      livemode: request.livemode,
      subjectId: request.subjectId,
      data: reminderOf(request, stage, config.baseUrl, now),
    }),
  );
  await writeEnvelopes(tx, ids, now, drafts);
  return { affected: due.length, isLast: keys.length < SLICE_ROWS };
}

const TOKEN_PLACEHOLDER = '{confirmationToken}';

function reminderOf(request: DueReminder, stage: Stage, baseUrl: string, now: Date): ConfirmationReminder {
  const { pageUrl, previewUrl } = attestationUrls(confirmation, baseUrl, request.id, TOKEN_PLACEHOLDER);
  return {
    confirmationId: request.id,
    stage,
    subject: { externalId: request.userId },
    ...pick(request, 'eventType', 'stakeLevel', 'description', 'counterpartyRef', 'counterpartyName'),
    ...pick(request, 'campaignId', 'status'),
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    ageHours: hoursBetween(request.createdAt, now),
    hoursUntilExpiry: hoursBetween(now, request.expiresAt),
    confirmUrlTemplate: pageUrl,
    previewUrlTemplate: previewUrl,
    note: REMINDER_NOTE,
  };
}

/** Rounded to a tenth. */
function hoursBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / (HOUR_MS / 10)) / 10;
}
