import type { z } from 'zod';
import { assertNever } from '#domain/errors.js';
import type { Queryable } from '#kit/db/database.js';
import { ok, serializedAnswer } from '#kit/http/answer.js';
import { assertProfiled, findQualifications } from '#ledger/profile/qualifications.js';
import { findScores } from '#ledger/reads/publishedScores.js';
import { refuseTestKey, subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { findProjects } from '../projects.js';
import type { Career } from './career.js';
import { jsonLd } from './jsonLd.js';
import { jsonResume } from './jsonResume.js';
import type { CareerQuery } from './schemas.js';

export type CareerDeps = Pick<ServiceDeps, 'db' | 'clock'> & {
  config: { baseUrl: string };
  /** Of the credentials room: the page that verifies the subject's shared record. */
  shareTokens: { findActive(db: Queryable, subjectId: string): Promise<{ verifyUrl: string } | null> };
};

type Context = UserContext<z.output<typeof CareerQuery>>;

/** Of qualifications and of projects each. */
const MAX_ENTRIES = 1000;

/**
 * GET /users/{id}/career-export: a file for the person. It links to the active share token and
 * never creates one.
 */
export async function exportCareer(deps: CareerDeps, context: Context) {
  refuseTestKey(context.caller);
  const career = await loadCareer(deps, context);
  switch (context.query.format) {
    case 'jsonresume':
      return ok(jsonResume(career), asFile('career.json'));
    case 'jsonld':
      return serializedAnswer({
        status: 200,
        // As bytes: Fastify would add a charset to a text, which this media type does not have.
        body: Buffer.from(JSON.stringify(jsonLd(career))),
        headers: { ...asFile('career.jsonld'), 'Content-Type': 'application/ld+json' },
      });
    default:
      return assertNever(context.query.format);
  }
}

function asFile(name: string) {
  return { 'Content-Disposition': `attachment; filename="${name}"` };
}

async function loadCareer({ config, db, clock, shareTokens }: CareerDeps, context: Context): Promise<Career> {
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const [qualifications, projects, scores, share] = await Promise.all([
    findQualifications(db, subjectId, { limit: MAX_ENTRIES }),
    findProjects(db, subjectId, { limit: MAX_ENTRIES }),
    findScores(db, [subjectId]),
    shareTokens.findActive(db, subjectId),
  ]);
  return {
    userId: context.params.id,
    issuer: config.baseUrl,
    qualifications: qualifications.rows,
    projects: projects.rows,
    isComplete: qualifications.nextCursor === null && projects.nextCursor === null,
    score: scores.get(subjectId) ?? null,
    verifyUrl: share?.verifyUrl ?? null,
    asOf: clock.now(),
  };
}
