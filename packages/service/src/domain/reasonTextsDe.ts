import { model, type ReasonCode } from '@reliability/scoring';
import { type Evidence, type Figures, figuresOf, type Share, shareOf } from './reasonTexts.js';

/** As `reasonText`, in German. */
export function reasonTextDe(code: ReasonCode, evidence: Evidence): string | null {
  return texts[code](figuresOf(evidence));
}

const texts: Record<ReasonCode, (figures: Figures) => string | null> = {
  NO_VERIFIED_HISTORY: (figures) => {
    const open = figures('unverifiedOutcomes');
    const start = 'Noch hat niemand sonst eine eingehaltene oder gebrochene Abmachung bestätigt.';
    return open ? `${start} Bisher ohne Bestätigung: ${results(open)}.` : start;
  },
  LIMITED_VERIFIED_HISTORY: (figures) => {
    const count = figures('verifiedOutcomes');
    return count
      ? `Andere haben ${results(count)} bestätigt. Nach Größe und Alter ist das noch wenig.`
      : null;
  },
  ESTABLISHED_VERIFIED_HISTORY: (figures) => {
    const count = figures('verifiedOutcomes');
    return count ? `Andere haben ${results(count)} bestätigt. Nach Größe und Alter ist das viel.` : null;
  },
  LOW_COMPLETION_RATE: (figures) => {
    const share = shareOf(figures, 'completedOutcomes', 'outcomes', 'completionRate');
    if (!share) return null;
    const start = `Fertig: ${share.part} von ${ofResults(share.whole)}.`;
    if (share.isPlain) return start;
    return `${start} Eine gebrochene Abmachung wiegt ${model.breachSeverity}-mal so viel wie fertige Arbeit. ${HEAVIER} ${share.rate}.`;
  },
  STRONG_COMPLETION_RATE: (figures) => {
    const share = shareOf(figures, 'completedOutcomes', 'outcomes', 'completionRate');
    return share && `Fertig: ${share.part} von ${ofResults(share.whole)}.${weighed(share)}`;
  },
  LOW_ONTIME_RATE: onTime,
  STRONG_ONTIME_RATE: onTime,
  DISPUTED_OUTCOMES_ON_RECORD: (figures) => {
    const contested = figures('contestedOutcomes') ?? 0;
    const lost = figures('disputesDecidedAgainst') ?? 0;
    const sentences = [
      contested > 0 ? `Strittig: ${results(contested)}.` : '',
      lost > 0 ? `Zu Ungunsten ausgegangen: ${lost === 1 ? '1 Streit' : `${lost} Streitfälle`}.` : '',
    ];
    return sentences.filter((sentence) => sentence !== '').join(' ') || null;
  },
  CLEAN_DISPUTE_RECORD: (figures) => {
    const count = figures('outcomes');
    return count ? `Es gibt keinen Streit. Eingetragen: ${results(count)}.` : null;
  },
  LOW_VERIFICATION_DEPTH: confirmed,
  INDEPENDENTLY_VERIFIED_RECORD: confirmed,
  INACTIVE_RECORD: (figures) => {
    const days = figures('daysSinceLastOutcome');
    return days
      ? `Das letzte Ergebnis ist ${days} Tage alt. Alte Ergebnisse zählen jeden Tag weniger.`
      : null;
  },
  RECORD_UNDER_VELOCITY_REVIEW: () =>
    'In kurzer Zeit kamen sehr viele Einträge. Bis sie geprüft sind, ändert sich die Bewertung nicht.',
};

function onTime(figures: Figures): string | null {
  const share = shareOf(figures, 'onTimeOutcomes', 'datedOutcomes', 'onTimeRate');
  return share && `Pünktlich: ${share.part} von ${ofJobs(share.whole)}.${weighed(share)}`;
}

function confirmed(figures: Figures): string | null {
  const share = shareOf(figures, 'verifiedCompletedOutcomes', 'completedOutcomes', 'verificationDepth');
  return share && `Von anderen bestätigt: ${share.part} von ${ofJobs(share.whole)}.${weighed(share)}`;
}

const HEAVIER = 'Neuere und größere Aufträge zählen mehr. Damit sind es';

function weighed({ isPlain, rate }: Share): string {
  return isPlain ? '' : ` ${HEAVIER} ${rate}.`;
}

function results(count: number): string {
  return count === 1 ? '1 Ergebnis' : `${count} Ergebnisse`;
}

/** After a preposition with the dative. */
function ofResults(count: number): string {
  return count === 1 ? '1 Ergebnis' : `${count} Ergebnissen`;
}

function ofJobs(count: number): string {
  return count === 1 ? '1 fertigen Auftrag' : `${count} fertigen Aufträgen`;
}
