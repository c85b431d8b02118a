import { counted } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Usage', 'Verbrauch'],
  notAllowed: [
    'Your key may not read the usage. It needs the scope usage:read.',
    'Ihr Schlüssel darf den Verbrauch nicht lesen. Er braucht den Scope usage:read.',
  ],
  quota: ['This month', 'Dieser Monat'],
  used: [
    (used: string, cap: string) => `${used} of ${cap} calls`,
    (used: string, cap: string) => `${used} von ${cap} Aufrufen`,
  ],
  usedOnly: [
    (used: number) => `${counted(used, 'call', 'calls')}, without a limit`,
    (used: number) => `${counted(used, 'Aufruf', 'Aufrufe')}, ohne Grenze`,
  ],
  testQuota: ['Calls with test keys do not count.', 'Aufrufe mit Testschlüsseln zählen nicht.'],
  left: ['Left', 'Übrig'],
  resets: ['Starts again', 'Beginnt neu'],
  window: ['Window', 'Zeitraum'],
  days: [(count: string) => `${count} days`, (count: string) => `${count} Tage`],
  calls: ['Calls by day', 'Aufrufe je Tag'],
  ok: ['Answered', 'Beantwortet'],
  clientError: ['Refused (4xx)', 'Abgelehnt (4xx)'],
  serverError: ['Failed (5xx)', 'Gescheitert (5xx)'],
  total: ['Calls in all', 'Aufrufe insgesamt'],
  perMinute: ['Limit per minute', 'Grenze je Minute'],
  unlimited: ['none', 'keine'],
  busiest: ['Most called', 'Am meisten aufgerufen'],
  operation: ['Operation', 'Operation'],
  count: ['Calls', 'Aufrufe'],
  download: ['Download as CSV', 'Als CSV herunterladen'],
  truncated: ['Older days are no longer kept.', 'Ältere Tage werden nicht mehr aufbewahrt.'],
  empty: ['No call in this window.', 'Kein Aufruf in diesem Zeitraum.'],
});
