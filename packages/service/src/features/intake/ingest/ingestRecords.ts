import type { z } from 'zod';
import { failValidation } from '../../../domain/errors.js';
import { applyMapping, readMappedEvent } from '../../../domain/mapping/applyMapping.js';
import { shortened } from '../../../domain/mapping/unusable.js';
import type { Warning } from '../../../domain/readOutcomeEvent.js';
import { namesOf } from '../../../domain/sameParty.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok, REPLAYED } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { findUnstorableText, refusalOfTexts } from '../../../kit/http/text.js';
import { assertSameRequest, findClaims } from '../../../ledger/requests/idempotency.js';
import { appendItems } from '../appendItems.js';
import { failUnknownMapping, findChosenMapping } from '../savedMappings.js';
import type { IngestDeps } from './deps.js';
import { IngestBody } from './schemas.js';

/** POST /ingest: records in the caller's own shape; each stands or falls alone. */
export async function ingestRecords(
  { db, clock, ledger }: IngestDeps,
  {
    body,
    caller,
    claim,
    hasUnstorableText,
  }: RequestContext<KeyAccess, z.output<typeof IngestBody>, undefined, undefined>,
): Promise<Answer> {
  const { records, ...rest } = body;
  const fault = hasUnstorableText ? findUnstorableText(rest) : null;
  if (fault) failValidation([fault]);
  const mapping = await findChosenMapping(db, caller, body);
  if (!mapping) return earlierAnswer(db, claim);
  const { livemode } = caller;
  const now = clock.now();
  const items = records.map((raw, index) => {
    const path = `records.${index}`;
    const refusal = hasUnstorableText ? refusalOfTexts(raw, path) : null;
    if (refusal) return { refusal };
    return readMappedEvent(applyMapping(mapping, raw), { livemode, now, isImport: false, path });
  });
  const warnings = unknownProperties(rest);
  const said = warnings.length === 0 ? {} : { warnings };
  const evidence = { by: 'named', platform: namesOf([caller.platformName]) } as const;
  return appendItems(ledger, { reporter: caller, claim, items, evidence, said });
}

/** A request that was done stays done, even where its saved mapping has been deleted since. */
async function earlierAnswer(db: Database, claim: IdempotencyClaim | null): Promise<Answer> {
  const stored = claim && (await findClaims(db, [claim.keyId])).get(claim.keyId);
  if (!stored) return failUnknownMapping();
  assertSameRequest(stored, claim);
  return ok(stored.answer, REPLAYED);
}

const MAX_UNKNOWN_NAMED = 20;

/** What records hold besides is the caller's own; what stands beside them was meant for us. */
function unknownProperties(body: object): Warning[] {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(IngestBody.shape, name));
  return unknown.slice(0, MAX_UNKNOWN_NAMED).map((name) => ({
    code: 'UNKNOWN_FIELD',
    message: `"${shortened(name)}" is no property of this request and was not used.`,
  }));
}
