import type { RouteTable } from '../../kit/http/route.js';
import type { EndDisputes } from '../../ledger/erasure/eraseSubject.js';
import type { Sweep } from '../../ledger/sweep.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { expireAttestations, removeRequestTexts } from './attestations/endAttestations.js';
import { campaignRoutes } from './campaigns/routes.js';
import { confirmation } from './confirmations/kind.js';
import { confirmationRoutes } from './confirmations/routes.js';
import { sendReminders } from './confirmations/sendReminders.js';
import { lapseDisputes, lapseErased } from './disputes/resolveDisputes.js';
import { disputeRoutes } from './disputes/routes.js';
import { reference } from './references/kind.js';
import { referenceRoutes } from './references/routes.js';

export interface AttestationRoom {
  routes: readonly RouteTable[];
  sweeps: Record<'reminders' | 'expiry' | 'disputes' | 'retention', readonly Sweep[]>;
  /** Ends the open disputes of a subject, within its erasure. */
  lapseErased: EndDisputes;
}

/** What other parties say about an outcome: confirmations, campaigns, references, disputes. */
export function attestationRoom(deps: ServiceDeps): AttestationRoom {
  return {
    routes: [disputeRoutes(deps), confirmationRoutes(deps), campaignRoutes(deps), referenceRoutes(deps)],
    sweeps: {
      reminders: [sendReminders(deps)],
      expiry: [expireAttestations(deps.db, confirmation), expireAttestations(deps.db, reference)],
      disputes: [lapseDisputes(deps)],
      retention: textSweeps(deps),
    },
    lapseErased: (tx, subjectId, now) => lapseErased(tx, deps.ledger, subjectId, now),
  };
}

/** RETENTION_TEXT_DAYS: off unless set. */
function textSweeps({ db, config: { retentionTextDays: days } }: ServiceDeps): Sweep[] {
  if (days === undefined) return [];
  return [removeRequestTexts(db, confirmation, days), removeRequestTexts(db, reference, days)];
}
