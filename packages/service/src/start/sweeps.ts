import { removeOldNames } from '#ledger/displayNames.js';
import { removeOldTexts } from '#ledger/text/dropTexts.js';
import { attestationSweeps } from '../features/attestation/sweeps.js';
import { insightSweeps } from '../features/insight/sweeps.js';
import { removeOldIssues } from '../features/intake/imports/removeOldIssues.js';
import { removeOldDeliveries } from '../features/notify/webhooks/deliveryStore.js';
import type { ServiceDeps } from '../features/serviceDeps.js';
import { removeOldOffers } from '../features/sharing/wallets/removeOldOffers.js';
import { countHistograms } from '../features/subjects/users/countHistograms.js';
import { createSweeps, type Sweeps } from '../features/tenancy/operator/sweeps.js';
import { tenancySweeps } from '../features/tenancy/sweeps.js';

/** The sweeps of all rooms: as POST /admin/sweeps/{name} runs them, and as the schedule does. */
export function buildSweeps(deps: ServiceDeps): { atOnce: Sweeps; scheduled: Sweeps } {
  const { db, wakes, config } = deps;
  const textDays = config.retentionTextDays;
  const textSweeps = [removeOldTexts, removeOldNames, removeOldIssues];
  const intake = textDays === undefined ? [] : textSweeps.map((remove) => remove(db, textDays));
  const subjectBenchmarks = [countHistograms(db, config.bookSummaryMax)];
  const { dailyBenchmarks, ...insight } = insightSweeps(deps);
  const more = [
    tenancySweeps(deps),
    { retention: intake },
    attestationSweeps(deps),
    { retention: [removeOldDeliveries(db, textDays)] },
    { benchmarks: subjectBenchmarks },
    insight,
    { retention: [removeOldOffers(db)] },
  ];
  const atOnce = createSweeps({ db, wakes, textDays, more });
  return { atOnce, scheduled: { ...atOnce, benchmarks: [...dailyBenchmarks, ...subjectBenchmarks] } };
}
