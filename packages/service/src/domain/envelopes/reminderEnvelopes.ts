import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { confirmableEventTypes, reminderStages, requestStatuses } from '../catalogues/enums.js';
import { at, id, SAMPLE, subjectRef } from './fields.js';

/**
 * Data of both reminders of a confirmation. Never contains the counterparty's token (RULES A11).
 */
export const ConfirmationReminder = z.object({
  confirmationId: id,
  stage: z.enum(reminderStages),
  subject: subjectRef,
  eventType: z.enum(confirmableEventTypes),
  stakeLevel: z.enum(stakeLevels),
  description: z.string(),
  counterpartyRef: z.string(),
  counterpartyName: z.string().nullable(),
  campaignId: id.nullable(),
  status: z.enum(requestStatuses),
  createdAt: at,
  expiresAt: at,
  ageHours: z.number().min(0),
  hoursUntilExpiry: z.number(),
  confirmUrlTemplate: z.string().meta({ description: 'Holds the placeholder `{confirmationToken}`.' }),
  previewUrlTemplate: z.string().meta({ description: 'Holds the placeholder `{confirmationToken}`.' }),
  note: z.string(),
});
export type ConfirmationReminder = z.output<typeof ConfirmationReminder>;

export const REMINDER_NOTE =
  'The service writes to no counterparty. Put the token that you were given at creation into a template and send it over your own channel.';

export const REMINDER_EXAMPLE: ConfirmationReminder = {
  confirmationId: SAMPLE.id(7),
  stage: 'awaiting_response',
  subject: { externalId: SAMPLE.externalId },
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  description: 'Kitchen fitted at 12 Mill Lane',
  counterpartyRef: 'customer-88',
  counterpartyName: 'R. Okafor',
  campaignId: null,
  status: 'PENDING',
  createdAt: SAMPLE.at,
  expiresAt: SAMPLE.later,
  ageHours: 48.2,
  hoursUntilExpiry: 287.8,
  confirmUrlTemplate: `https://reliability.example.com/confirm/${SAMPLE.id(7)}?token={confirmationToken}`,
  previewUrlTemplate: `https://reliability.example.com/api/v1/confirmations/${SAMPLE.id(7)}/preview?token={confirmationToken}`,
  note: REMINDER_NOTE,
};
