import { type ServiceError, validationError } from '../../../domain/errors.js';
import { detailsOf, misspellings } from '../../../domain/validationDetails.js';
import { mapInTurns } from '../../../kit/backpressure/yielder.js';
import { storableText } from '../../../kit/http/query.js';
import { refusalOfUnstorable } from '../../../kit/http/text.js';
import {
  ConfirmationInput,
  type ConfirmationRequest,
  type ReadOptions,
  readConfirmationRequest,
} from '../confirmations/request.js';

/** A request with the platform's own key of the row, the same each time the row is sent. */
export const RowInput = ConfirmationInput.extend({
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
