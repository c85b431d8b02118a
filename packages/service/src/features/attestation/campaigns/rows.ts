import { type ServiceError, validationError } from '../../../domain/errors.js';
import { misspellings } from '../../../domain/misspelt.js';
import { detailsOf } from '../../../domain/validationDetails.js';
import { createYielder } from '../../../kit/backpressure/yielder.js';
import { storableText } from '../../../kit/http/query.js';
import { refusalOfTexts } from '../../../kit/http/text.js';
import {
  ConfirmationInput,
  type ConfirmationRequest,
  readConfirmationRequest,
} from '../confirmations/confirmationRequest.js';

/** A request with the platform's own name of the row, the same each time the row is sent. */
export const RowInput = ConfirmationInput.extend({
  rowKey: storableText(1, 255).meta({
    description: 'Your own name of the row: sent again, it asks nobody twice.',
  }),
});
const Keyed = RowInput.pick({ rowKey: true });

/** A row of a campaign as sent. Whether its key is known to the campaign already is another question, and comes first. */
export type CampaignRow =
  | { readonly kind: 'unkeyed'; readonly refusal: ServiceError }
  /** A row before it in the same batch has its key, whatever has become of that one. */
  | { readonly kind: 'repeated'; readonly rowKey: string }
  | { readonly kind: 'invalid'; readonly rowKey: string; readonly refusal: ServiceError }
  | { readonly kind: 'valid'; readonly rowKey: string; readonly request: ConfirmationRequest };

interface ReadOptions {
  livemode: boolean;
  now: Date;
  expiryHours: number;
  /** Some text of the batch cannot be stored. */
  hasUnstorableText: boolean;
}

/** Hundreds of faulty rows take tens of milliseconds to describe, so other requests get their turn in between. */
export async function readRows(rows: readonly unknown[], options: ReadOptions): Promise<CampaignRow[]> {
  const yieldNow = createYielder();
  const seen = new Set<string>();
  const read: CampaignRow[] = [];
  for (const [index, raw] of rows.entries()) {
    await yieldNow();
    read.push(readRow(raw, `rows.${index}`, seen, options));
  }
  return read;
}

/** @param seen keys of the rows before; gains that of this one. */
function readRow(raw: unknown, path: string, seen: Set<string>, options: ReadOptions): CampaignRow {
  const keyed = Keyed.safeParse(raw);
  if (!keyed.success) {
    const details = [...misspellings(RowInput, raw, path), ...detailsOf(keyed.error, raw, path)];
    return { kind: 'unkeyed', refusal: validationError(details) };
  }
  const { rowKey } = keyed.data;
  if (seen.has(rowKey)) return { kind: 'repeated', rowKey };
  seen.add(rowKey);
  const refusal = options.hasUnstorableText ? refusalOfTexts(raw, path) : null;
  if (refusal) return { kind: 'invalid', rowKey, refusal };
  const read = readConfirmationRequest(raw, { ...options, path, names: RowInput });
  if ('refusal' in read) return { kind: 'invalid', rowKey, refusal: read.refusal };
  return { kind: 'valid', rowKey, request: read.request };
}
