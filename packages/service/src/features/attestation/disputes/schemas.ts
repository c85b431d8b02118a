import { z } from 'zod';
import { disputeOutcomes, disputeStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { cursorParam, instant, pageLimit, pathText } from '../../../kit/http/query.js';

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

export type Dispute = z.output<typeof Dispute>;
export const Dispute = z
  .object({
    id: z.uuid(),
    eventId: z.uuid().meta({ description: 'The disputed event.' }),
    userId: z.string(),
    status: z.enum(disputeStatuses),
    outcome: z.enum(disputeOutcomes).nullable().meta({ description: 'null: the dispute is open.' }),
    lapsed: z.boolean().meta({ description: 'true: the window ended before anyone resolved the dispute.' }),
    openedAt: instant,
    respondBy: instant.meta({
      description: 'The end of the window. After it the dispute ends for the subject.',
    }),
    resolvedAt: instant.nullable(),
    outcomeEventId: z
      .uuid()
      .nullable()
      .meta({ description: 'The event that the service wrote at the end of the dispute.' }),
  })
  .meta({
    id: 'Dispute',
    description: 'A dispute about one event. An event can be disputed once.',
    example: DISPUTE_EXAMPLE,
  });

export const DisputePage = z.object({ disputes: z.array(Dispute), nextCursor: z.string().nullable() }).meta({
  id: 'DisputePage',
  description: 'A page of disputes, newest first.',
  example: { disputes: [DISPUTE_EXAMPLE], nextCursor: null },
});

export type DisputeBody = z.output<typeof DisputeBody>;
export const DisputeBody = z
  .object({
    eventId: z.guid().meta({ description: 'A breach or a disputed outcome that you reported.' }),
    reason: z.string().max(2000).nullish().meta({
      description: 'The reason in words, for the metadata of the DISPUTE_FILED event. It decides nothing.',
    }),
  })
  .meta({
    id: 'NewDispute',
    description: 'The event to dispute.',
    example: { eventId: DISPUTE_EXAMPLE.eventId, reason: 'The delivery was refused at the door.' },
  });

export const DisputeQuery = z.object({
  status: z.enum(disputeStatuses).optional().meta({ description: 'Only disputes with this status.' }),
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
  id: pathText('Id of the dispute.', DISPUTE_EXAMPLE.id),
});
