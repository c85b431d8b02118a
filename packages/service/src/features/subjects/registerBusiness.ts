import type { z } from 'zod';
import { type Declared, isDeclared } from '../../domain/declaredSubject.js';
import { fail } from '../../domain/errors.js';
import type { Answer } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { declare } from './declare.js';
import type { SubjectParts } from './parts.js';
import type { BusinessBody } from './schemas.js';
import { businessOf } from './shown.js';

type Business = Extract<Declared, { subjectType: 'ORGANIZATION' }>;

/** POST /businesses: as with agents, the last declaration stands as a whole. */
export function registerBusiness(
  parts: SubjectParts,
  context: RequestContext<KeyAccess, z.output<typeof BusinessBody>, undefined, undefined>,
): Promise<Answer> {
  const { userId, business, platformIsController } = context.body;
  const facts = {
    legalName: business?.legalName ?? null,
    tradingName: business?.tradingName ?? null,
    homepage: business?.homepage ?? null,
    did: business?.did ?? null,
  };
  if (!isDeclared(facts)) fail('BUSINESS_IDENTITY_NOT_DECLARED');
  return declare<Business>(parts, context, {
    userId,
    declared: { subjectType: 'ORGANIZATION', facts },
    isOwn: platformIsController ?? false,
    taken: 'This id has the record of a person or an agent already, and cannot become a business.',
    shown: businessOf,
  });
}
