import { catalogue } from './texts.ts';

/** The states of confirmations, references and disputes. */
export const requestStatuses = catalogue({
  PENDING: ['Waiting', 'Wartet'],
  CONFIRMED: ['Confirmed', 'Bestätigt'],
  DECLINED: ['Declined', 'Verneint'],
  EXPIRED: ['Expired', 'Abgelaufen'],
  CANCELLED: ['Withdrawn', 'Zurückgezogen'],
  OPEN: ['Open', 'Offen'],
  RESOLVED_FOR_USER: ['Ended for the subject', 'Beendet zugunsten der Person'],
  RESOLVED_AGAINST_USER: ['Ended against the subject', 'Beendet zulasten der Person'],
});
