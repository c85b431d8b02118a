import { model, reasonCodeCatalog } from '@reliability/scoring';
import { reasonEntryOf } from '../../../domain/storedReasons.js';
import { type TrustPoint, trustSummaryOf } from '../../../domain/trustSummary.js';
import type { Queryable } from '../../../kit/db/database.js';
import { figuresOf } from '../../../ledger/reads/publishedScores.js';
import { loadProfessionalRecord } from '../professionalRecord/professionalRecords.js';
import { findChanges, findReportedScore, type ReportedScore } from './store.js';
import { thinned } from './thinned.js';

/** Changes that are looked at, and those of them that are shown. */
const MAX_CHANGES_READ = 2000;
const MAX_CHANGES_SHOWN = 60;

export type ReliabilityReport = NonNullable<Awaited<ReturnType<typeof loadReport>>>;

interface Asked {
  readonly subjectId: string;
  readonly userId: string;
  readonly platformName: string;
  readonly now: Date;
}

/**
 * All that a score rests on in one document, as it stands now; null for a subject without a score. The history ends with the very
 * snapshot of the score, whatever is computed meanwhile.
 */
export async function loadReport(db: Queryable, { subjectId, userId, platformName, now }: Asked) {
  const [score, record] = await Promise.all([
    findReportedScore(db, subjectId),
    loadProfessionalRecord(db, subjectId),
  ]);
  if (!score || !record) return null;
  const changes = await findChanges(db, subjectId, score.snapshotNo, MAX_CHANGES_READ);
  const shown = thinned(changes.toReversed(), MAX_CHANGES_SHOWN).toReversed();
  const { verifiedOutcomes, verifiedByClass, totalOutcomes, verificationDepth, verifiedPlatforms, tenure } =
    record;
  return {
    userId,
    platformName,
    generatedAt: now,
    ...figuresOf(score),
    ...reasonsOf(score),
    restsOn: {
      verifiedOutcomes,
      verifiedByClass,
      totalOutcomes,
      verificationDepth,
      verifiedPlatforms,
      tenure,
    },
    history: shown,
    historyThinned: shown.length < changes.length || changes.length === MAX_CHANGES_READ,
    disclosures: reasonCodeCatalog.disclosures,
  };
}

function reasonsOf(score: ReportedScore) {
  const { summary, strengths, risks } = trustSummaryOf({
    finalScore: score.finalScore,
    scoreBand: score.scoreBand,
    confidenceLabel: score.confidenceLabel,
    totalEvents: score.totalEvents,
    verifiedEvents: score.verifiedEvents,
    frozenAt: score.frozenAt,
    factors: score.factors,
    adverse: score.adverse,
    supporting: score.supporting,
  });
  return {
    summary,
    startingScore: model.anchor,
    factors: score.factors,
    supportingFactors: strengths.map(emitted),
    adverseActionReasons: risks.map(emitted),
    reasonCodesVersion: reasonCodeCatalog.reasonCodesVersion,
  };
}

function emitted({ code, text }: TrustPoint) {
  return { code, title: reasonEntryOf(code)?.title ?? code, text };
}
