import type { z } from 'zod';
import { failValidation } from '../../../domain/errors.js';
import { applyMapping, readMappedEvent } from '../../../domain/mapping/applyMapping.js';
import { shortened } from '../../../domain/mapping/unusable.js';
import type { Warning } from '../../../domain/readOutcomeEvent.js';
import { namesOf } from '../../../domain/sameParty.js';
import { mapInTurns } from '../../../kit/backpressure/yielder.js';
import type { Queryable } from '../../../kit/db/database.js';
import { ok, REPLAYED, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { findUnstorable, refusalOfUnstorable } from '../../../kit/http/text.js';
import { assertSameRequest, findClaims } from '../../../ledger/requests/idempotency.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { appendItems, type ItemsRecorded } from '../appendItems.js';
import { findChosenMapping } from '../chosenMapping.js';
import { IngestBody } from './schemas.js';
import { failUnknownMapping } from './store.js';

type IngestDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ledger' | 'erased'>;
type Context = RequestContext<KeyAccess, z.output<typeof IngestBody>, undefined, undefined>;

/** POST /ingest: records in the platform's own shape. An invalid one fails alone. */
export async function ingestRecords(
  { db, clock, ledger, erased }: IngestDeps,
  { body, caller, claim, hasUnstorable }: Context,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const { records, ...rest } = body;
  const error = hasUnstorable ? findUnstorable(rest) : null;
  if (error) failValidation([error]);
  const mapping = await findChosenMapping(db, caller, body);
  if (!mapping) return earlierAnswer(db, claim);
  const { livemode } = caller;
  const options = { livemode, now: clock.now(), isErased: erased.among(caller), isImport: false };
  const items = await mapInTurns(records, (raw, index) => {
    const path = `records.${index}`;
    const refusal = hasUnstorable ? refusalOfUnstorable(raw, path) : null;
    if (refusal) return { refusal };
    return readMappedEvent(applyMapping(mapping, raw), { ...options, path });
  });
  const evidence = { by: 'named', platform: namesOf([caller.platformName]) } as const;
  return appendItems(
    { ledger, erased },
    { reporter: caller, claim, items, evidence, warnings: unknownProperties(rest) },
  );
}

/** A repeated request gets its first answer, even if its saved mapping has been deleted since. */
async function earlierAnswer(
  db: Queryable,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<200, ItemsRecorded>> {
  const stored = claim && (await findClaims(db, [claim.keyId])).get(claim.keyId);
  if (!stored) return failUnknownMapping();
  assertSameRequest(stored, claim);
  return ok(stored.answer as ItemsRecorded, REPLAYED);
}

const MAX_UNKNOWN_NAMED = 20;

/** Only beside `records`: inside of them unknown names belong to the platform. */
function unknownProperties(body: object): Warning[] {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(IngestBody.shape, name));
  return unknown.slice(0, MAX_UNKNOWN_NAMED).map((name) => ({
    code: 'UNKNOWN_FIELD',
    message: `"${shortened(name)}" is not a property of this request and was ignored.`,
  }));
}
