import type { RouteTable } from '#kit/http/route.js';
import type { EndDisputes } from '#ledger/erasure/eraseSubject.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { campaignRoutes } from './campaigns/routes.js';
import { confirmationRoutes } from './confirmations/routes.js';
import { lapseErased } from './disputes/resolveDisputes.js';
import { disputeRoutes } from './disputes/routes.js';
import { referenceRoutes } from './references/routes.js';
import { type SubjectReviews, subjectReviews } from './reviews/openReviews.js';
import { reviewRoutes } from './reviews/routes.js';

export interface AttestationRoom {
  routes: readonly RouteTable[];
  /** Ends the open disputes of a subject, within its erasure. */
  lapseErased: EndDisputes;
  /** For the page of a record, and for everything held about a subject. */
  reviews: SubjectReviews;
}

/** What others say about an outcome, and what subjects say about their record. */
export function attestationRoom(deps: ServiceDeps): AttestationRoom {
  return {
    routes: [
      ...[disputeRoutes(deps), reviewRoutes(deps), confirmationRoutes(deps)],
      ...[campaignRoutes(deps), referenceRoutes(deps)],
    ],
    lapseErased: (tx, subjectId, now) => lapseErased(tx, deps.ledger, subjectId, now),
    reviews: subjectReviews(deps),
  };
}
