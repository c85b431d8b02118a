import { z } from 'zod';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { instant, pathText, storableText } from '../../../kit/http/query.js';
import { paging } from '../attestations/fields.js';
import {
  CAMPAIGN_ID,
  HANDED_OUT_EXAMPLE,
  handedOut,
  itemError,
  SELF_ERROR_EXAMPLE,
} from '../confirmations/schemas.js';
import { RowInput } from './rows.js';

const CAMPAIGN = { id: CAMPAIGN_ID, name: 'Past customers, spring' };
const ROW = {
  rowKey: 'order-1009',
  userId: 'worker-4711',
  eventType: 'CONTRACT_FULFILLED',
  counterpartyRef: 'customer-88',
  description: 'Kitchen fitted at 12 Mill Lane',
};

const Row = RowInput.meta({
  id: 'CampaignRow',
  description: 'A past outcome to be confirmed, identified by its `rowKey`.',
  example: ROW,
});

export type CampaignBody = z.output<typeof CampaignBody>;
export const CampaignBody = z
  .object({
    name: storableText(1, 255).meta({
      description: 'The rows are added to the campaign of this name if there is one.',
    }),
    rows: z.array(looseItems(Row)).min(1).max(500),
  })
  .meta({
    id: 'NewCampaign',
    description: 'Up to 500 past outcomes to be confirmed, under one name.',
    example: {
      name: CAMPAIGN.name,
      rows: [ROW, { ...ROW, rowKey: 'order-1010', counterpartyRef: ROW.userId }],
    },
  });

export type Campaign = z.output<typeof campaign>;
const campaign = z.object({ id: z.uuid(), name: z.string() });

export type CampaignStarted = z.output<typeof CampaignStarted>;
export const CampaignStarted = z
  .object({
    campaign,
    results: z.array(
      z.object({
        index: z.int().min(0),
        rowKey: z.string().nullable().meta({ description: 'null: the row has no valid key.' }),
        status: z.enum(['created', 'duplicate', 'failed']),
        confirmationId: z.uuid().optional().meta({
          description: 'Of a duplicate: the request of the earlier row, if it has one.',
        }),
        ...handedOut.partial().shape,
        error: itemError.optional(),
      }),
    ),
    duplicates: z
      .int()
      .min(0)
      .meta({ description: 'How many rows were already in the campaign or earlier in the batch.' }),
  })
  .meta({
    id: 'CampaignStarted',
    description: 'The result of each row. Tokens are shown once.',
    example: {
      campaign: CAMPAIGN,
      results: [
        {
          index: 0,
          rowKey: ROW.rowKey,
          status: 'created',
          confirmationId: '0199a3c2-9d10-7b44-8c2e-000000000007',
          ...HANDED_OUT_EXAMPLE,
        },
        { index: 1, rowKey: 'order-1010', status: 'failed', error: SELF_ERROR_EXAMPLE },
      ],
      duplicates: 0,
    },
  });

export const campaignPath = z.object({
  id: pathText('Id of the campaign.', CAMPAIGN.id),
});

const count = z.int().min(0);

export type Funnel = z.output<typeof funnel>;
const funnel = z.object({
  submitted: count.meta({ description: 'All requests of the campaign.' }),
  confirmed: count,
  declined: count,
  expired: count,
  cancelled: count,
  pending: count,
});
const FUNNEL = { submitted: 480, confirmed: 211, declined: 9, expired: 0, cancelled: 3, pending: 257 };

export const CampaignFunnel = z.object({ campaign, funnel }).meta({
  id: 'CampaignFunnel',
  description: 'How many requests of a campaign have each status.',
  example: { campaign: CAMPAIGN, funnel: FUNNEL },
});

export const CampaignQuery = z.object(paging);

export const CampaignPage = z
  .object({
    campaigns: z.array(z.object({ ...campaign.shape, createdAt: instant, funnel })),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'CampaignPage',
    description: 'A page of campaigns, newest first, each with its counts by status.',
    example: {
      campaigns: [{ ...CAMPAIGN, createdAt: '2026-03-01T09:00:00.000Z', funnel: FUNNEL }],
      nextCursor: null,
    },
  });
