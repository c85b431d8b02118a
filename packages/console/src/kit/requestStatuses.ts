import { catalogue } from './texts.ts';

/** The states of confirmations, references and disputes. */
export const requestStatuses = catalogue(
  {
    PENDING: 'Waiting',
    CONFIRMED: 'Confirmed',
    DECLINED: 'Declined',
    EXPIRED: 'Expired',
    CANCELLED: 'Withdrawn',
    OPEN: 'Open',
    RESOLVED_FOR_USER: 'Ended for the subject',
    RESOLVED_AGAINST_USER: 'Ended against the subject',
  },
  {
    PENDING: 'Wartet',
    CONFIRMED: 'Bestätigt',
    DECLINED: 'Verneint',
    EXPIRED: 'Abgelaufen',
    CANCELLED: 'Zurückgezogen',
    OPEN: 'Offen',
    RESOLVED_FOR_USER: 'Beendet zugunsten der Person',
    RESOLVED_AGAINST_USER: 'Beendet zulasten der Person',
  },
);
