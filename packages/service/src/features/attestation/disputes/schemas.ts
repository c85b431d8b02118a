import { z } from 'zod';
import { disputeOutcomes, disputeStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, pageLimit } from '../../../kit/http/query.js';

const DISPUTE_EXAMPLE = {
  id: '0199b5d0-41c2-7e11-9a6f-2c7d8e9f0a1b',
  eventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
  userId: 'worker-4711',
  status: 'OPEN',
  outcome: null,
  lapsed: false,
  openedAt: '2026-03-02T08:00:00.000Z',
  respondBy: '2026-03-16T08:00:00.000Z',
  resolvedAt: null,
  outcomeEventId: null,
};

export const DisputeRecord = z
  .object({
    id: z.uuid(),
    eventId: z.uuid().meta({ description: 'The event that is disputed.' }),
    userId: z.string(),
    status: z.enum(disputeStatuses),
    outcome: z.enum(disputeOutcomes).nullable().meta({ description: 'null while it is open.' }),
    lapsed: z.boolean().meta({ description: 'True: nobody resolved it before `respondBy`.' }),
    openedAt: z.iso.datetime(),
    respondBy: z.iso.datetime().meta({ description: 'From here on it can only end for the subject.' }),
    resolvedAt: z.iso.datetime().nullable(),
    outcomeEventId: z
      .uuid()
      .nullable()
      .meta({ description: 'The event that the service wrote when it ended.' }),
  })
  .meta({
    id: 'Dispute',
    description: 'A dispute about one event. An event has one at most, ever.',
    example: DISPUTE_EXAMPLE,
  });

export const DisputePage = z
  .object({ disputes: z.array(DisputeRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'DisputePage',
    description: 'A page of disputes, newest first.',
    example: { disputes: [DISPUTE_EXAMPLE], nextCursor: null },
  });

export const DisputeBody = z
  .object({
    eventId: z.guid().meta({ description: 'One of your own events: a breach, or a disputed outcome.' }),
    reason: z.string().max(2000).nullish().meta({
      description:
        'What is contested, in words. Goes into the metadata of the DISPUTE_FILED event; decides nothing.',
    }),
  })
  .meta({
    id: 'NewDispute',
    description: 'Which event to dispute.',
    example: { eventId: DISPUTE_EXAMPLE.eventId, reason: 'The delivery was refused at the door.' },
  });

export const DisputeQuery = z.object({
  status: z.enum(disputeStatuses).optional().meta({ description: 'Only disputes that stand like this.' }),
  userId: externalId
    .optional()
    .meta({ description: 'Only disputes about events of this subject.', example: 'worker-4711' }),
  eventId: z
    .guid()
    .optional()
    .meta({ description: 'Only the dispute about this event.', example: DISPUTE_EXAMPLE.eventId }),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export const disputePath = z.object({
  id: z.string().meta({ description: 'Id of the dispute.', example: DISPUTE_EXAMPLE.id }),
});
