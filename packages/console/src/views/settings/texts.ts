import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Settings', 'Einstellungen'],
  notAllowed: [
    'Settings need a key with the scope admin:read.',
    'Einstellungen brauchen einen Schlüssel mit dem Recht admin:read.',
  ],
  people: ['For the people you score', 'Für die Menschen, die Sie bewerten'],
  peopleLead: [
    'Whom they can ask, and where they read how you use their data. The public notice shows both, and each record page leads to it.',
    'Wen sie fragen können und wo steht, wie Sie ihre Daten nutzen. Der öffentliche Hinweis zeigt beides, und jede Seite einer Akte führt zu ihm.',
  ],
  contact: ['Whom to ask', 'Ansprechstelle'],
  contactHint: [
    'A name with an e-mail address or telephone number. Leave it empty to remove it.',
    'Ein Name mit E-Mail-Adresse oder Telefonnummer. Leer lassen, um sie zu entfernen.',
  ],
  noContact: ['nobody is named', 'niemand ist genannt'],
  privacyUrl: ['Privacy notice', 'Datenschutzhinweise'],
  privacyUrlHint: [
    'The address of your own page, with https.',
    'Die Adresse Ihrer eigenen Seite, mit https.',
  ],
  noPrivacyUrl: ['not stated', 'nicht angegeben'],
  notice: ['Public notice about the score', 'Öffentlicher Hinweis zum Wert'],
  change: ['Change', 'Ändern'],
  save: ['Save', 'Speichern'],
  saved: ['Saved', 'Gespeichert'],
  liveOnly: [
    'A live key changes the settings.',
    'Nur ein Schlüssel für echte Daten ändert die Einstellungen.',
  ],
});
