import { z } from 'zod';
import { disputeOutcomes, disputeStatuses } from '#domain/catalogues/enums.js';
import { EventRecordSchema } from '#domain/outcomeEvent.js';
import { instant, pageSchema, pathText } from '#kit/http/query.js';
import { caseQuery } from '#ledger/reads/caseList.js';

export type Dispute = z.output<typeof Dispute>;
export const Dispute = z
  .object({
    id: z.uuid(),
    eventId: z.uuid(),
    userId: z.string(),
    status: z.enum(disputeStatuses),
    outcome: z.enum(disputeOutcomes).nullable(),
    lapsed: z.boolean(),
    openedAt: instant,
    respondBy: instant,
    overdue: z.boolean(),
    resolvedAt: instant.nullable(),
    outcomeEventId: z.uuid().nullable(),
    reason: z.string().nullable(),
    event: EventRecordSchema,
  })
  .meta({ id: 'Dispute' });

export const DisputePage = pageSchema('disputes', Dispute).meta({ id: 'DisputePage' });

export type DisputeBody = z.output<typeof DisputeBody>;
export const DisputeBody = z
  .object({
    eventId: z.guid(),
    reason: z.string().max(2000).nullish(),
  })
  .meta({ id: 'NewDispute' });

export const DisputeQuery = z.object({ status: z.enum(disputeStatuses).optional(), ...caseQuery });

export const disputePath = z.object({ id: pathText() });
