import { z } from 'zod';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { instant, pathText, storableText } from '../../../kit/http/query.js';
import { paging } from '../attestations/fields.js';
import { handedOut, itemError } from '../confirmations/schemas.js';
import { RowInput } from './rows.js';

const Row = RowInput.meta({ id: 'CampaignRow' });

export type CampaignBody = z.output<typeof CampaignBody>;
export const CampaignBody = z
  .object({
    name: storableText(1, 255),
    rows: z.array(looseItems(Row)).min(1).max(500),
  })
  .meta({ id: 'NewCampaign' });

export type Campaign = z.output<typeof campaign>;
const campaign = z.object({ id: z.uuid(), name: z.string() });

export type CampaignStarted = z.output<typeof CampaignStarted>;
export const CampaignStarted = z
  .object({
    campaign,
    results: z.array(
      z.object({
        index: z.int().min(0),
        rowKey: z.string().nullable(),
        status: z.enum(['created', 'duplicate', 'failed']),
        confirmationId: z.uuid().optional(),
        ...handedOut.partial().shape,
        error: itemError.optional(),
      }),
    ),
    duplicates: z.int().min(0),
  })
  .meta({ id: 'CampaignStarted' });

export const campaignPath = z.object({
  id: pathText(),
});

const count = z.int().min(0);

export type Funnel = z.output<typeof funnel>;
const funnel = z.object({
  submitted: count,
  confirmed: count,
  declined: count,
  expired: count,
  cancelled: count,
  pending: count,
});

export const CampaignFunnel = z.object({ campaign, funnel }).meta({ id: 'CampaignFunnel' });

export const CampaignQuery = z.object(paging);

export const CampaignPage = z
  .object({
    campaigns: z.array(z.object({ ...campaign.shape, createdAt: instant, funnel })),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'CampaignPage' });
