import type { z } from 'zod';
import { type BusinessFacts, changed, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import type { LoadOutcomes } from '../../../ledger/profile/outcomeRecords.js';
import { type DeclareDeps, declare } from './declare.js';
import type { Business, BusinessBody, BusinessRecord, BusinessRegistered } from './schemas.js';
import { type DeclaredRow, findDeclared, findScore } from './store.js';

type DeclaredBusiness = Extract<Declared, { subjectType: 'ORGANIZATION' }>;

const NO_FACTS: BusinessFacts = { legalName: null, tradingName: null, homepage: null, did: null };

/** POST /businesses. At least one identity has to be declared. */
export function registerBusiness(
  deps: DeclareDeps,
  owner: Owner,
  body: z.output<typeof BusinessBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, BusinessRegistered>> {
  const { userId, business, platformIsController } = body;
  return declare<DeclaredBusiness, BusinessRegistered>(deps, owner, claim, {
    userId,
    subjectType: 'ORGANIZATION',
    ownFlag: 'platformIsController',
    declared(before) {
      const { facts, isOwn } = before ?? { facts: NO_FACTS, isOwn: false };
      const identity = business === null ? NO_FACTS : changed(facts, business ?? {});
      if (Object.values(identity).every((value) => value === null)) fail('BUSINESS_IDENTITY_NOT_DECLARED');
      return { facts: identity, isOwn: platformIsController ?? isOwn };
    },
    taken: 'This id belongs to a person or an agent, and cannot become a business.',
    toResponse,
  });
}

/** GET /businesses/{id}. Throws NOT_FOUND. */
export async function readBusiness(db: Queryable, subjectId: string): Promise<Business> {
  const row = await findDeclared<DeclaredBusiness>(db, subjectId, 'ORGANIZATION');
  if (!row) return failUnknown();
  return { ...toResponse(row), score: await findScore(db, subjectId) };
}

/** GET /businesses/{id}/record. Throws NOT_FOUND. */
export async function readBusinessRecord(
  loadOutcomes: LoadOutcomes,
  subjectId: string,
): Promise<BusinessRecord> {
  const outcomes = await loadOutcomes(subjectId);
  if (outcomes?.subjectType !== 'ORGANIZATION') return failUnknown();
  const { externalId, record, asOf } = outcomes;
  return { userId: externalId, ...record.business, asOf };
}

function failUnknown(): never {
  return fail('NOT_FOUND', { message: 'No business with this id is registered.' });
}

function toResponse({ externalId, facts, isOwn, ...times }: DeclaredRow<BusinessFacts>): BusinessRegistered {
  return {
    userId: externalId,
    subjectType: 'ORGANIZATION',
    business: facts,
    platformIsController: isOwn,
    ...times,
  };
}
