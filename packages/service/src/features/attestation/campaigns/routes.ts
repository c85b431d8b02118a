import { assertNever, fail } from '#domain/errors.js';
import { mapInTurns } from '#kit/backpressure/yielder.js';
import type { Queryable } from '#kit/db/database.js';
import { created, ok, type TypedAnswer } from '#kit/http/answer.js';
import {
  type KeyAccess,
  type KeyCaller,
  keyFor,
  type RequestContext,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { loadSelfRefusal, writeDrafts } from '../attestations/drafts.js';
import type { AttestationDeps } from '../attestations/kind.js';
import {
  type ConfirmationDraft,
  confirmationDraft,
  errorOf,
  handedOut,
} from '../confirmations/createConfirmations.js';
import { confirmation } from '../confirmations/kind.js';
import {
  CampaignBody,
  CampaignFunnel,
  CampaignPage,
  CampaignQuery,
  type CampaignRow,
  CampaignStarted,
  campaignPath,
  readRows,
} from './rows.js';
import { findKnownRows, listCampaigns, lockCampaign, readCampaign } from './store.js';

/** Many requests for confirmation under one name (RULES A12). */
export function campaignRoutes(deps: AttestationDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Campaigns' };
  return {
    'POST /activation/campaigns': route({
      operationId: 'startCampaign',
      ...own,
      plan: 'campaigns',
      idempotent: true,
      body: CampaignBody,
      itemsStandAlone: true,
      answers: { 201: CampaignStarted },
      errors: ['ACTIVATION_NO_VALID_ROWS', 'CONFLICT'],
      handle: (context) => startCampaign(deps, context),
    }),
    'GET /activation/campaigns': route({
      operationId: 'listCampaigns',
      ...own,
      query: CampaignQuery,
      answers: { 200: CampaignPage },
      handle: async ({ owner, query }) => ok(await listCampaigns(deps.db, owner, query, deps.clock.now())),
    }),
    'GET /activation/campaigns/{id}': route({
      operationId: 'readCampaign',
      ...own,
      params: campaignPath,
      answers: { 200: CampaignFunnel },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) =>
        ok(await readCampaign(deps.db, owner, params.id, deps.clock.now())),
    }),
  };
}

/**
 * POST /activation/campaigns: a request for each row that is new to the campaign of this name. If
 * no row of the batch is valid, nothing is stored, not even the campaign (RULES A12).
 */
async function startCampaign(
  deps: AttestationDeps,
  context: RequestContext<KeyAccess, CampaignBody, undefined, undefined>,
): Promise<TypedAnswer<201, CampaignStarted>> {
  const { caller, body, claim, hasUnstorable } = context;
  const now = deps.clock.now();
  const { confirmationExpiryHours: expiryHours, baseUrl } = deps.config;
  const { livemode } = caller;
  const isErased = deps.erased.among(caller);
  const read = await readRows(body.rows, { livemode, now, expiryHours, isErased, hasUnstorable });
  return deps.withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const rows = await refuseSelf(tx, caller, read);
    const campaign = await lockCampaign(tx, caller, { id: deps.ids.at(now), name: body.name }, now);
    const known = await findKnownRows(tx, caller, campaign.id, keysOf(rows));
    const drafts = new Map<string, ConfirmationDraft>();
    await mapInTurns(rows, (row) => {
      if (row.kind !== 'valid' || known.has(row.rowKey)) return;
      const member = { id: campaign.id, rowKey: row.rowKey };
      drafts.set(row.rowKey, confirmationDraft(deps, context, row.request, now, member));
    });
    const results = await mapInTurns(rows, (row, index) => resultOf(row, index, { known, drafts, baseUrl }));
    const duplicates = results.filter(({ status }) => status === 'duplicate').length;
    if (drafts.size === 0 && known.size === 0) {
      fail('ACTIVATION_NO_VALID_ROWS', { details: { results, duplicates } });
    }
    await writeDrafts(tx, deps, confirmation, context, [...drafts.values()]);
    return created({ campaign, results, duplicates });
  });
}

async function refuseSelf(
  db: Queryable,
  caller: KeyCaller,
  rows: readonly CampaignRow[],
): Promise<CampaignRow[]> {
  const requests = rows.flatMap((row) => (row.kind === 'valid' ? [row.request] : []));
  const refusalOf = await loadSelfRefusal(db, confirmation, caller, requests);
  return mapInTurns(rows, (row) => {
    const refusal = row.kind === 'valid' ? refusalOf(row.request) : null;
    return row.kind === 'valid' && refusal ? { kind: 'invalid', rowKey: row.rowKey, refusal } : row;
  });
}

function keysOf(rows: readonly CampaignRow[]): string[] {
  return rows.flatMap((row) => (row.kind === 'unkeyed' ? [] : [row.rowKey]));
}

type RowResult = CampaignStarted['results'][number];

interface Outcome {
  /** The ids of the requests that the campaign had already, by row key. */
  readonly known: ReadonlyMap<string, string>;
  readonly drafts: ReadonlyMap<string, ConfirmationDraft>;
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
      return { index, rowKey, status: 'duplicate', confirmationId: draft?.attestation.id };
    case 'invalid':
      return { index, rowKey, status: 'failed', error: errorOf(row.refusal) };
    case 'valid':
      if (!draft) throw new Error('a valid row of a campaign has no request');
      return {
        index,
        rowKey,
        status: 'created',
        confirmationId: draft.attestation.id,
        ...handedOut(baseUrl, draft),
      };
    default:
      return assertNever(row);
  }
}
