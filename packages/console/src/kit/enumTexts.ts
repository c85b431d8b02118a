import { catalogue } from './texts.ts';

/** The values of the API in people's words, a set for each of `GET /enums` that views show. */
export const enumTexts = catalogue({
  eventType: {
    CONTRACT_FULFILLED: ['Agreement kept', 'Abmachung eingehalten'],
    TRANSACTION_COMPLETED: ['Job completed', 'Auftrag erledigt'],
    REVIEW_VERIFIED: ['Work reviewed', 'Arbeit geprüft'],
    CONTRACT_CANCELLED: ['Agreement cancelled', 'Abmachung abgesagt'],
    TRANSACTION_CANCELLED: ['Job cancelled', 'Auftrag abgesagt'],
    CONTRACT_BREACHED: ['Agreement broken', 'Abmachung gebrochen'],
    TRANSACTION_DISPUTED: ['Work contested', 'Arbeit bestritten'],
    DISPUTE_FILED: ['Dispute opened', 'Streit eröffnet'],
    DISPUTE_RESOLVED_FOR_USER: ['Dispute ended for the subject', 'Streit beendet zugunsten der Person'],
    DISPUTE_RESOLVED_AGAINST_USER: [
      'Dispute ended against the subject',
      'Streit beendet zulasten der Person',
    ],
    EDUCATION_VERIFIED: ['Education confirmed', 'Ausbildung bestätigt'],
    SKILL_VERIFIED: ['Skill confirmed', 'Fähigkeit bestätigt'],
    CERTIFICATION_VERIFIED: ['Certificate confirmed', 'Zertifikat bestätigt'],
    EMPLOYMENT_VERIFIED: ['Employment confirmed', 'Anstellung bestätigt'],
    PROJECT_LOGGED: ['Project added', 'Projekt eingetragen'],
  },
  stakeLevel: { LOW: ['Low', 'Gering'], MEDIUM: ['Medium', 'Mittel'], HIGH: ['High', 'Hoch'] },
  /** Of confirmations, references, disputes and reviews. */
  requestStatus: {
    PENDING: ['Waiting', 'Wartet'],
    CONFIRMED: ['Confirmed', 'Bestätigt'],
    DECLINED: ['Declined', 'Verneint'],
    EXPIRED: ['Expired', 'Abgelaufen'],
    CANCELLED: ['Withdrawn', 'Zurückgezogen'],
    OPEN: ['Open', 'Offen'],
    RESOLVED_FOR_USER: ['Ended for the subject', 'Beendet zugunsten der Person'],
    RESOLVED_AGAINST_USER: ['Ended against the subject', 'Beendet zulasten der Person'],
    ANSWERED: ['Answered', 'Beantwortet'],
    WITHDRAWN: ['Taken back', 'Zurückgenommen'],
  },
  reviewOutcome: {
    UPHELD: ['The record stays as it is', 'Die Akte bleibt, wie sie ist'],
    CORRECTED: ['The record is corrected', 'Die Akte wird berichtigt'],
    PARTLY: ['The record is corrected in part', 'Die Akte wird teilweise berichtigt'],
  },
  subjectType: {
    PERSON: ['Person', 'Person'],
    AGENT: ['Agent', 'Agent'],
    ORGANIZATION: ['Organization', 'Organisation'],
  },
  platformTier: {
    ENTERPRISE: ['Fully trusted', 'Volles Vertrauen'],
    GROWTH: ['Well trusted', 'Gutes Vertrauen'],
    STARTER: ['New', 'Neu'],
    SELF_REPORTED: ['Self-reported', 'Eigene Angaben'],
  },
  planTier: {
    starter: ['Starter', 'Einstieg'],
    growth: ['Growth', 'Wachstum'],
    enterprise: ['Enterprise', 'Großbetrieb'],
  },
  importStatus: {
    QUEUED: ['Queued', 'Wartet'],
    RUNNING: ['Running', 'Läuft'],
    COMPLETED: ['Completed', 'Fertig'],
    FAILED: ['Interrupted', 'Unterbrochen'],
  },
  webhookEventType: {
    'score.updated': ['Score changed', 'Wert geändert'],
    'score.band_changed': ['Band changed', 'Stufe gewechselt'],
    'dispute.resolved': ['Dispute ended', 'Streit beendet'],
    'monitor.triggered': ['Monitor reported', 'Beobachtung hat gemeldet'],
    'policy.threshold_crossed': ['Policy: threshold crossed', 'Regel: Schwelle überschritten'],
    'usage.quota_warning': ['Quota nearly used up', 'Kontingent fast verbraucht'],
    'import.completed': ['Import finished', 'Import fertig'],
    'screening.completed': ['Screening finished', 'Sammelabfrage fertig'],
    'confirmation.awaiting_response': ['Confirmation unanswered', 'Bestätigung unbeantwortet'],
    'confirmation.expiring_soon': ['Confirmation expires soon', 'Bestätigung läuft bald ab'],
    'review.requested': ['Review asked for', 'Widerspruch erhoben'],
    'review.answered': ['Review answered', 'Widerspruch beantwortet'],
    'review.overdue': ['Review overdue', 'Widerspruch überfällig'],
    'key.created': ['Key created', 'Schlüssel erstellt'],
    'key.expiring': ['Key expires soon', 'Schlüssel läuft bald ab'],
  },
  component: {
    reliability: ['Reliability', 'Verlässlichkeit'],
    timeliness: ['Timeliness', 'Pünktlichkeit'],
    trustworthiness: ['Trustworthiness', 'Vertrauenswürdigkeit'],
    verification: ['Verification', 'Bestätigung'],
    consistency: ['Consistency', 'Beständigkeit'],
    momentum: ['Momentum', 'Schwung'],
  },
  policyMetric: {
    score: ['score', 'Wert'],
    component: ['component', 'Teilwert'],
    verified_events: ['verified events', 'bestätigte Ereignisse'],
    band: ['band', 'Stufe'],
    largest_attester_share: ['share of one attester', 'Anteil eines Bestätigers'],
    distinct_attesters: ['attesters', 'Bestätiger'],
  },
  credentialType: {
    ServiceProfessionalRecordCredential: ['Professional record', 'Beruflicher Nachweis'],
    ServiceEarningsCredential: ['Earnings', 'Einkünfte'],
    ServiceDeliveryReceiptCredential: ['Receipt of a delivery', 'Beleg einer Lieferung'],
    ServiceAgentDeliveryCredential: ['Delivery by an agent', 'Lieferung eines Agenten'],
  },
  answerChannel: { page: ['on the page', 'auf der Seite'], api: ['through the API', 'über die API'] },
});

/** The words for a value. The value itself, if the service knows more of them than this table. */
export function wordsFor(set: keyof typeof enumTexts, value: string): string {
  return (enumTexts[set] as Readonly<Record<string, string>>)[value] ?? value;
}

/** The values of a set, in the order of the table. */
export function valuesOf<Set extends keyof typeof enumTexts>(set: Set) {
  return Object.keys(enumTexts[set]) as (keyof (typeof enumTexts)[Set] & string)[];
}
