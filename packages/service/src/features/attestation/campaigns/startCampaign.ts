import type { z } from 'zod';
import { assertNever, fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { askerOf } from '../attestations/answerEvidence.js';
import { type Draft, draftOf, type HandedOut, handedOut, writeDrafts } from '../attestations/drafts.js';
import type { ConfirmationDeps } from '../confirmations/deps.js';
import { errorOf, type ItemError } from '../confirmations/itemError.js';
import { loadSelfRefusal } from '../confirmations/selfAsked.js';
import { type CampaignRow, readRows } from './rows.js';
import type { CampaignBody } from './schemas.js';
import { findKnownRows, lockCampaign } from './store.js';

type Context = RequestContext<KeyAccess, z.output<typeof CampaignBody>, undefined, undefined>;

interface RowResult extends Partial<HandedOut> {
  readonly index: number;
  readonly rowKey: string | null;
  readonly status: 'created' | 'duplicate' | 'failed';
  readonly confirmationId?: string | undefined;
  readonly error?: ItemError;
}

/**
 * POST /activation/campaigns: a request for each row that is new to the campaign of this name. Where nothing in the batch is good,
 * nothing is kept, not even the campaign (RULES A12).
 */
export async function startCampaign(deps: ConfirmationDeps, context: Context): Promise<Answer> {
  const { caller, body, claim, hasUnstorableText } = context;
  const now = deps.clock.now();
  const { confirmationExpiryHours: expiryHours, baseUrl } = deps.config;
  const { livemode } = caller;
  const asker = askerOf(context);
  const read = await readRows(body.rows, { livemode, now, expiryHours, hasUnstorableText });
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const rows = await withSelfRefusals(tx, caller, read);
    const campaign = await lockCampaign(tx, caller, { id: deps.ids.at(now), name: body.name }, now);
    const known = await findKnownRows(tx, caller, campaign.id, keysOf(rows));
    const drafts = new Map<string, Draft>();
    for (const row of rows) {
      if (row.kind !== 'valid' || known.has(row.rowKey)) continue;
      const place = { id: campaign.id, rowKey: row.rowKey };
      drafts.set(row.rowKey, draftOf(deps, caller, row.request, { now, asker, campaign: place }));
    }
    const results = rows.map((row, index) => resultOf(row, index, { known, drafts, baseUrl }));
    const duplicates = results.filter(({ status }) => status === 'duplicate').length;
    if (drafts.size === 0 && known.size === 0) {
      fail('ACTIVATION_NO_VALID_ROWS', { details: { results, duplicates } });
    }
    await writeDrafts(tx, deps, caller, [...drafts.values()]);
    return created({ campaign, results, duplicates });
  });
}

async function withSelfRefusals(
  tx: Tx,
  caller: KeyCaller,
  rows: readonly CampaignRow[],
): Promise<CampaignRow[]> {
  const requests = rows.flatMap((row) => (row.kind === 'valid' ? [row.request] : []));
  const refusalOf = await loadSelfRefusal(tx, caller, requests);
  return rows.map((row) => {
    const refusal = row.kind === 'valid' ? refusalOf(row.request) : null;
    return row.kind === 'valid' && refusal ? { kind: 'invalid', rowKey: row.rowKey, refusal } : row;
  });
}

function keysOf(rows: readonly CampaignRow[]): string[] {
  return rows.flatMap((row) => (row.kind === 'unkeyed' ? [] : [row.rowKey]));
}

interface Outcome {
  /** The requests of rows that stood in the campaign before, by row. */
  readonly known: ReadonlyMap<string, string>;
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly baseUrl: string;
}

function resultOf(row: CampaignRow, index: number, { known, drafts, baseUrl }: Outcome): RowResult {
  if (row.kind === 'unkeyed') return { index, rowKey: null, status: 'failed', error: errorOf(row.refusal) };
  const { rowKey } = row;
  const draft = drafts.get(rowKey);
  const knownId = known.get(rowKey);
  if (knownId !== undefined) return { index, rowKey, status: 'duplicate', confirmationId: knownId };
  switch (row.kind) {
    case 'repeated':
      return { index, rowKey, status: 'duplicate', confirmationId: draft?.row.requestId };
    case 'invalid':
      return { index, rowKey, status: 'failed', error: errorOf(row.refusal) };
    case 'valid':
      if (!draft) throw new Error('a good row of a campaign has no request');
      return {
        index,
        rowKey,
        status: 'created',
        confirmationId: draft.row.requestId,
        ...handedOut(baseUrl, draft),
      };
    default:
      return assertNever(row);
  }
}
