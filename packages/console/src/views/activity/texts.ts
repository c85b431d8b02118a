import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Activity', 'Protokoll'],
  notAllowed: [
    'Your key may not read the activity. It needs the scope usage:read.',
    'Ihr Schlüssel darf das Protokoll nicht lesen. Er braucht das Recht usage:read.',
  ],
  action: ['Action', 'Aktion'],
  all: ['All actions', 'Alle Aktionen'],
  from: ['From', 'Von'],
  to: ['To', 'Bis'],
  at: ['When', 'Wann'],
  actor: ['By', 'Durch'],
  target: ['On', 'An'],
  details: ['Details', 'Einzelheiten'],
  empty: [
    'Nothing has happened yet. Each change of keys, webhooks, policies and the like appears here.',
    'Noch ist nichts geschehen. Jede Änderung an Schlüsseln, Webhooks, Regeln und dergleichen erscheint hier.',
  ],
  noMatch: [
    'No entry matches. Choose another action or a longer time.',
    'Kein Eintrag passt. Wählen Sie eine andere Aktion oder einen längeren Zeitraum.',
  ],
  download: ['Download as CSV', 'Als CSV herunterladen'],
  actors: {
    key: ['key', 'Schlüssel'],
    operator: ['operator', 'Betreiber'],
    service: ['the service', 'der Dienst'],
    platform: ['platform', 'Plattform'],
    counterparty: ['counterparty', 'Gegenseite'],
    subject: ['the subject', 'die Person'],
  },
});
