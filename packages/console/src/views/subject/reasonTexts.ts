import type { AnswerOf } from '../../kit/api.ts';
import type { Catalogue } from '../../kit/texts.ts';

type Reason = AnswerOf<'GET /users/{id}/score/explain'>['reasonCodes']['supportingFactors'][number];

/** Reasons by code. The service sends them in English. */
export const reasonTexts: Catalogue<
  Readonly<Partial<Record<Reason['code'], { title: string; description: string }>>>
> = {
  en: {},
  de: {
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
      title: 'Wert angehalten, wird geprüft',
      description:
        'Sehr viele Einträge kamen in kurzer Zeit. Der Wert ist angehalten, bis der Betreiber sie geprüft hat.',
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
  },
};
