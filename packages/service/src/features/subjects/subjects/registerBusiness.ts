import type { z } from 'zod';
import { type BusinessFacts, changed, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { declare } from './declare.js';
import type { SubjectDeps } from './deps.js';
import type { BusinessBody } from './schemas.js';
import { businessOf } from './toResponse.js';

type Business = Extract<Declared, { subjectType: 'ORGANIZATION' }>;

const NO_FACTS: BusinessFacts = { legalName: null, tradingName: null, homepage: null, did: null };

/** POST /businesses. At least one identity has to be declared. */
export function registerBusiness(
  deps: SubjectDeps,
  context: RequestContext<KeyAccess, z.output<typeof BusinessBody>, undefined, undefined>,
): Promise<Answer> {
  const { userId, business, platformIsController } = context.body;
  return declare<Business>(deps, context, {
    userId,
    subjectType: 'ORGANIZATION',
    ownFlag: 'platformIsController',
    declared(before) {
      const { facts, isOwn } = before ?? { facts: NO_FACTS, isOwn: false };
      const identity = business === null ? NO_FACTS : changed(facts, business ?? {});
      if (Object.values(identity).every((value) => value === null)) fail('BUSINESS_IDENTITY_NOT_DECLARED');
      return { facts: identity, isOwn: platformIsController ?? isOwn };
    },
    taken: 'This id has the record of a person or an agent already, and cannot become a business.',
    shown: businessOf,
  });
}
