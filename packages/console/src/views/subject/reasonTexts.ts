import type { AnswerOf } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { language } from '../../kit/texts.ts';
import { texts } from './texts.ts';

export type Reason = AnswerOf<'GET /users/{id}/score/explain'>['reasonCodes']['supportingFactors'][number];

/** The words of a reason and the numbers behind it. */
export function reasonText(reason: Reason): { title: string; description: string; figure: string } {
  const { title, description } = (language.value === 'de' && german[reason.code]) || reason;
  return { title, description, figure: figureOf(reason.evidence) };
}

/** "Finished: 91 of 97": from the members of the evidence, which several reasons share. */
function figureOf(evidence: Reason['evidence']): string {
  const number = (name: string) => Number(evidence[name] ?? 0);
  const of = (name: string, part: number, all: number) =>
    texts.figure(name, formatNumber(part), formatNumber(all));
  const { figures } = texts;
  if ('datedOutcomes' in evidence)
    return of(figures.onTime, number('onTimeOutcomes'), number('datedOutcomes'));
  if ('verifiedCompletedOutcomes' in evidence)
    return of(figures.confirmed, number('verifiedCompletedOutcomes'), number('completedOutcomes'));
  if ('completedOutcomes' in evidence)
    return of(figures.finished, number('completedOutcomes'), number('outcomes'));
  if ('contestedOutcomes' in evidence)
    return of(
      figures.disputed,
      number('contestedOutcomes') + number('disputesDecidedAgainst'),
      number('outcomes'),
    );
  if ('verifiedOutcomes' in evidence) {
    const verified = number('verifiedOutcomes');
    return of(figures.confirmed, verified, verified + number('unverifiedOutcomes'));
  }
  if ('daysSinceLastOutcome' in evidence) return texts.daysSince(number('daysSinceLastOutcome'));
  return texts.entries(number('totalEvents'));
}

/** Reasons by code. The service sends them in English. */
const german: Readonly<Record<string, { title: string; description: string }>> = {
  CLEAN_DISPUTE_RECORD: {
    title: 'Kein Streit',
    description: 'Kein Ergebnis wurde bestritten, und andere haben einen Teil der Arbeit bestätigt.',
  },
  DISPUTED_OUTCOMES_ON_RECORD: {
    title: 'Strittige Ergebnisse',
    description: 'Mindestens ein Ergebnis wurde bestritten, oder ein Streit endete zulasten der Person.',
  },
  ESTABLISHED_VERIFIED_HISTORY: {
    title: 'Viel Bestätigtes',
    description: 'Andere haben viele Ergebnisse bestätigt.',
  },
  INACTIVE_RECORD: {
    title: 'Keine neuen Ergebnisse',
    description: 'Das letzte Ergebnis ist lange her. Alte Ergebnisse zählen jeden Tag weniger.',
  },
  INDEPENDENTLY_VERIFIED_RECORD: {
    title: 'Großteils von anderen bestätigt',
    description:
      'Jemand anderes als die Person hat den größten Teil der erledigten Arbeit bestätigt. Neue und größere Arbeiten zählen mehr.',
  },
  LIMITED_VERIFIED_HISTORY: {
    title: 'Erst wenig Bestätigtes',
    description: 'Andere haben bisher nur wenige Ergebnisse bestätigt.',
  },
  LOW_COMPLETION_RATE: {
    title: 'Zu wenig fertiggestellt',
    description:
      'Zu wenige Ergebnisse zählen als erledigt. Eine gebrochene Abmachung wiegt mehr als eine erledigte Arbeit.',
  },
  LOW_ONTIME_RATE: {
    title: 'Zu selten pünktlich',
    description:
      'Zu wenige der erledigten Arbeiten waren pünktlich. Es zählen nur solche mit Termin und Tag der Erledigung.',
  },
  LOW_VERIFICATION_DEPTH: {
    title: 'Wenig von anderen bestätigt',
    description:
      'Jemand anderes als die Person hat nur einen kleinen Teil der erledigten Arbeit bestätigt. Neue und größere Arbeiten zählen mehr.',
  },
  NO_VERIFIED_HISTORY: {
    title: 'Noch nichts Bestätigtes',
    description:
      'Niemand sonst hat eine erledigte oder gebrochene Abmachung bestätigt. Bis dahin bleibt der Wert niedrig.',
  },
  RECORD_UNDER_VELOCITY_REVIEW: {
    title: 'Wert eingefroren, wird geprüft',
    description:
      'Sehr viele Einträge kamen in kurzer Zeit. Der Wert ist eingefroren, bis der Betreiber sie geprüft hat.',
  },
  STRONG_COMPLETION_RATE: {
    title: 'Fast alles fertiggestellt',
    description:
      'Der größte Teil der bestätigten Ergebnisse zählt als erledigt. Neue und größere Arbeiten zählen mehr.',
  },
  STRONG_ONTIME_RATE: {
    title: 'Fast immer pünktlich',
    description:
      'Der größte Teil der bestätigten, erledigten Arbeiten war pünktlich. Es zählen nur solche mit Termin und Tag der Erledigung.',
  },
};
