import { verifiedProfile } from '../../../domain/verifiedProfile.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import {
  assertProfiled,
  countQualifications,
  findVerifiedQualifications,
} from '../../../ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ProfileDeps } from './deps.js';
import { countProjects } from './store.js';

/** GET /users/{id}/verified-profile: what the caller itself recorded about the subject, also where that is linked with others. */
export async function readVerifiedProfile({ db, clock }: ProfileDeps, context: UserContext): Promise<Answer> {
  const now = clock.now();
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const [counts, verified, projects] = await Promise.all([
    countQualifications(db, subjectId, now),
    findVerifiedQualifications(db, subjectId),
    countProjects(db, subjectId),
  ]);
  return ok({ userId: context.params.id, ...verifiedProfile(counts, verified, projects, now) });
}
