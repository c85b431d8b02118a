import { z } from 'zod';
import { at, id, SAMPLE } from './fields.js';
import { KEY_CREATED_EXAMPLE, KEY_EXPIRING_EXAMPLE, KeyCreated, KeyExpiring } from './keyEnvelopes.js';
import { ConfirmationReminder, REMINDER_EXAMPLE } from './reminderEnvelopes.js';
import {
  MONITOR_EXAMPLE,
  MonitorTriggered,
  POLICY_EXAMPLE,
  PolicyCrossed,
  SCORE_CHANGE_EXAMPLE,
  ScoreChange,
} from './scoreEnvelopes.js';
import {
  DISPUTE_EXAMPLE,
  DisputeResolved,
  IMPORT_EXAMPLE,
  ImportCompleted,
  QUOTA_EXAMPLE,
  QuotaWarning,
  SCREENING_EXAMPLE,
  ScreeningCompleted,
} from './workEnvelopes.js';

/** All envelope types, with the schema of their `data`. */
export const envelopeTypes = [
  'score.updated',
  'score.band_changed',
  'dispute.resolved',
  'monitor.triggered',
  'policy.threshold_crossed',
  'usage.quota_warning',
  'import.completed',
  'screening.completed',
  'confirmation.awaiting_response',
  'confirmation.expiring_soon',
  'key.created',
  'key.expiring',
] as const;
export type EnvelopeType = (typeof envelopeTypes)[number];

interface EnvelopeEntry {
  readonly description: string;
  /** Of `data`. */
  readonly schema: z.ZodType;
  /** Of `data`. */
  readonly example: object;
}

const entries = {
  'score.updated': {
    description: 'A score has moved, or there is a first one.',
    schema: ScoreChange,
    example: SCORE_CHANGE_EXAMPLE,
  },
  'score.band_changed': {
    description: 'A score has moved into another band.',
    schema: ScoreChange,
    example: SCORE_CHANGE_EXAMPLE,
  },
  'dispute.resolved': {
    description: 'A dispute about one of your events is over, by resolution or by lapse.',
    schema: DisputeResolved,
    example: DISPUTE_EXAMPLE,
  },
  'monitor.triggered': {
    description:
      'A score has crossed a threshold of one of your monitors, or changed its band. Once per crossing.',
    schema: MonitorTriggered,
    example: MONITOR_EXAMPLE,
  },
  'policy.threshold_crossed': {
    description: 'A subject has come to meet the condition of one of your policies. Once per crossing.',
    schema: PolicyCrossed,
    example: POLICY_EXAMPLE,
  },
  'usage.quota_warning': {
    description: "Most of the month's quota is used. Once a month.",
    schema: QuotaWarning,
    example: QUOTA_EXAMPLE,
  },
  'import.completed': {
    description: 'An import has ended, well or not.',
    schema: ImportCompleted,
    example: IMPORT_EXAMPLE,
  },
  'screening.completed': {
    description: 'A screening has ended, well or not.',
    schema: ScreeningCompleted,
    example: SCREENING_EXAMPLE,
  },
  'confirmation.awaiting_response': {
    description: 'A counterparty has not answered for a while. Once per request.',
    schema: ConfirmationReminder,
    example: REMINDER_EXAMPLE,
  },
  'confirmation.expiring_soon': {
    description: 'A request for confirmation ends soon without an answer. Once per request.',
    schema: ConfirmationReminder,
    example: { ...REMINDER_EXAMPLE, stage: 'expiring_soon', ageHours: 312.5, hoursUntilExpiry: 23.5 },
  },
  'key.created': {
    description: 'An API key of yours was minted or rotated. If you did not do that, revoke it.',
    schema: KeyCreated,
    example: KEY_CREATED_EXAMPLE,
  },
  'key.expiring': {
    description: 'An API key of yours ends within seven days. Once per key.',
    schema: KeyExpiring,
    example: KEY_EXPIRING_EXAMPLE,
  },
} as const satisfies Record<EnvelopeType, EnvelopeEntry>;

/** The shape of `data`, by type. */
export type EnvelopeData = { [T in EnvelopeType]: z.output<(typeof entries)[T]['schema']> };

export function isEnvelopeType(text: string): text is EnvelopeType {
  return Object.hasOwn(entries, text);
}

/** The entry of a type: when it is sent, the schema of its `data` and an example. */
export function envelopeEntry(type: EnvelopeType): EnvelopeEntry {
  return entries[type];
}

/** The schema of a whole envelope. */
export function envelopeSchema(type: EnvelopeType): z.ZodType {
  return z.object({
    id: id.meta({ description: 'The same on every retry and replay.' }),
    type: z.literal(type),
    livemode: z.boolean().meta({ description: 'False: of test activity. Take a missing one as true.' }),
    createdAt: at,
    data: entries[type].schema,
  });
}

/** An example envelope of the type. */
export function exampleEnvelope(type: EnvelopeType): Envelope {
  return { id: SAMPLE.id(9), type, livemode: true, createdAt: SAMPLE.at, data: entries[type].example };
}

export interface Envelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly livemode: boolean;
  readonly createdAt: string;
  readonly data: object;
}
