import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Usage', 'Verbrauch'],
  notAllowed: [
    'Your key may not read the usage. It needs the scope usage:read.',
    'Ihr Schlüssel darf den Verbrauch nicht lesen. Er braucht das Recht usage:read.',
  ],
  quota: ['Monthly quota', 'Monatskontingent'],
  used: [
    (used: string, cap: string) => `${used} of ${cap} used`,
    (used: string, cap: string) => `${used} von ${cap} verbraucht`,
  ],
  noQuota: ['No limit.', 'Keine Grenze.'],
  counts: [
    'Calls with test keys, and those answered with 429 or 5xx, do not use it.',
    'Aufrufe mit Testschlüsseln und solche, die mit 429 oder 5xx beantwortet wurden, verbrauchen nichts.',
  ],
  left: ['Left', 'Übrig'],
  resets: ['Starts again', 'Beginnt neu'],
  window: ['Window', 'Zeitraum'],
  days: [(count: string) => `${count} days`, (count: string) => `${count} Tage`],
  calls: ['Calls by day', 'Aufrufe je Tag'],
  ok: ['Answered', 'Beantwortet'],
  clientError: ['Refused (4xx)', 'Abgelehnt (4xx)'],
  serverError: ['Failed (5xx)', 'Gescheitert (5xx)'],
  total: [(count: string) => `Calls in ${count} days`, (count: string) => `Aufrufe in ${count} Tagen`],
  perMinute: ['Limit per minute', 'Grenze je Minute'],
  unlimited: ['none', 'keine'],
  busiest: ['Most called', 'Am meisten aufgerufen'],
  operation: ['Operation', 'Vorgang'],
  count: ['Calls', 'Aufrufe'],
  download: ['Download as CSV', 'Als CSV herunterladen'],
  truncated: ['Older days are no longer kept.', 'Ältere Tage werden nicht mehr aufbewahrt.'],
  empty: ['No call in this window.', 'Kein Aufruf in diesem Zeitraum.'],
});
