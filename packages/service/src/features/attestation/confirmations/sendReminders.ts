import { type ConfirmationReminder, REMINDER_NOTE } from '../../../domain/envelopes/reminderEnvelopes.js';
import type { Database, Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { inSlices, SLICE_ROWS, type Slice, type Sweep } from '../../../ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '../../../outbox/envelopes.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { attestationUrls } from '../attestations/tokens.js';
import { type DueReminder, findDue, markEmitted, type Stage } from './sweepStore.js';

interface ReminderDeps {
  config: {
    baseUrl: string;
    confirmationReminderAfterHours: number;
    confirmationExpiringWithinHours: number;
  };
  db: Database;
  ids: IdSource;
  outbox: OutboxSignal;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * The reminders sweep: tells platforms, each once a request, of one that has waited long and of one that ends soon (RULES A11). The
 * mark and the envelope commit together, so a process that dies in between has done neither.
 */
export function remindOfConfirmations(deps: ReminderDeps): Sweep {
  const { confirmationReminderAfterHours, confirmationExpiringWithinHours } = deps.config;
  return async (now, until) => {
    const due: Readonly<Record<Stage, Date>> = {
      awaiting_response: hoursFrom(now, -confirmationReminderAfterHours),
      expiring_soon: hoursFrom(now, confirmationExpiringWithinHours),
    };
    let emitted = 0;
    for (const stage of ['awaiting_response', 'expiring_soon'] as const) {
      emitted += await inSlices(deps.db, `confirmations ${stage}`, until, (tx) =>
        remind(tx, deps, stage, { now, by: due[stage] }),
      );
    }
    if (emitted > 0) deps.outbox.written();
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
  const due = await markEmitted(tx, stage, keys, now);
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

const TOKEN_PLACE = '{confirmationToken}';

function reminderOf(request: DueReminder, stage: Stage, baseUrl: string, now: Date): ConfirmationReminder {
  const { pageUrl, previewUrl } = attestationUrls('confirmation', baseUrl, request.id, TOKEN_PLACE);
  return {
    confirmationId: request.id,
    stage,
    subject: { externalId: request.userId },
    eventType: request.eventType,
    stakeLevel: request.stakeLevel,
    description: request.description,
    counterpartyRef: request.counterpartyRef,
    counterpartyName: request.counterpartyName,
    campaignId: request.campaignId,
    status: request.status,
    createdAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    ageHours: hoursBetween(request.createdAt, now),
    hoursUntilExpiry: hoursBetween(now, request.expiresAt),
    confirmUrlTemplate: pageUrl,
    previewUrlTemplate: previewUrl,
    note: REMINDER_NOTE,
  };
}

/** To a tenth. */
function hoursBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / (HOUR_MS / 10)) / 10;
}
