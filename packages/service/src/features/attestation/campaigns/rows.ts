import { z } from 'zod';
import { type ServiceError, validationError } from '#domain/errors.js';
import { detailsOf, misspellings } from '#domain/validationDetails.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { instant, pageSchema, pathText, storableText } from '#kit/http/query.js';
import { refusalOfUnstorable } from '#kit/http/text.js';
import { paging } from '../attestations/attestation.js';
import {
  ConfirmationInput,
  type ConfirmationRequest,
  handedOut,
  itemError,
  type ReadOptions,
  readConfirmationRequest,
} from '../confirmations/schemas.js';

/** A request with the platform's own key of the row, the same each time the row is sent. */
const RowInput = ConfirmationInput.extend({
  rowKey: storableText(1, 255),
});
const Keyed = RowInput.pick({ rowKey: true });

/** A row as sent. The caller checks first whether the campaign knows its key already. */
export type CampaignRow =
  | { readonly kind: 'unkeyed'; readonly refusal: ServiceError }
  /** An earlier row of the same batch has its key, valid or not. */
  | { readonly kind: 'repeated'; readonly rowKey: string }
  | { readonly kind: 'invalid'; readonly rowKey: string; readonly refusal: ServiceError }
  | { readonly kind: 'valid'; readonly rowKey: string; readonly request: ConfirmationRequest };

type RowOptions = Pick<ReadOptions, 'livemode' | 'now' | 'expiryHours' | 'isErased'> & {
  /** Some text of the batch cannot be stored. */
  hasUnstorable: boolean;
};

/** The errors of hundreds of bad rows take tens of milliseconds to describe. */
export function readRows(rows: readonly unknown[], options: RowOptions): Promise<CampaignRow[]> {
  const seen = new Set<string>();
  return mapInTurns(rows, (raw, index) => readRow(raw, `rows.${index}`, seen, options));
}

/** @param seen keys of the earlier rows; gains the key of this one. */
function readRow(raw: unknown, path: string, seen: Set<string>, options: RowOptions): CampaignRow {
  const keyed = Keyed.safeParse(raw);
  if (!keyed.success) {
    const details = [...misspellings(RowInput, raw, path), ...detailsOf(keyed.error, raw, path)];
    return { kind: 'unkeyed', refusal: validationError(details) };
  }
  const { rowKey } = keyed.data;
  if (seen.has(rowKey)) return { kind: 'repeated', rowKey };
  seen.add(rowKey);
  const refusal = options.hasUnstorable ? refusalOfUnstorable(raw, path) : null;
  if (refusal) return { kind: 'invalid', rowKey, refusal };
  const read = readConfirmationRequest(raw, { ...options, path, names: RowInput });
  if ('refusal' in read) return { kind: 'invalid', rowKey, refusal: read.refusal };
  return { kind: 'valid', rowKey, request: read.request };
}

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

export const campaignPath = z.object({ id: pathText() });

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

const CampaignEntry = z.object({ ...campaign.shape, createdAt: instant, funnel });

export const CampaignPage = pageSchema('campaigns', CampaignEntry).meta({ id: 'CampaignPage' });
