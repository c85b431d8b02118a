import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Platforms', 'Plattformen'],
  empty: ['No platform yet.', 'Noch keine Plattform.'],
  create: ['New platform', 'Neue Plattform'],
  name: ['Name', 'Name'],
  plan: ['Plan', 'Tarif'],
  tier: ['Trust tier', 'Vertrauensstufe'],
  state: ['State', 'Zustand'],
  active: ['Active', 'Aktiv'],
  inactive: ['Switched off', 'Abgeschaltet'],
  created: ['Since', 'Seit'],
  viewLive: ['View live data', 'Echte Daten ansehen'],
  viewTest: ['View test data', 'Testdaten ansehen'],
  viewNote: [
    'You see what the platform sees, and can change nothing. Its activity log says that you looked.',
    'Sie sehen, was die Plattform sieht, und können nichts ändern. Ihr Protokoll vermerkt, dass Sie nachgesehen haben.',
  ],
  settings: ['Settings', 'Einstellungen'],
  save: ['Save', 'Speichern'],
  saved: ['Saved', 'Gespeichert'],
  isActive: ['Active: its keys are accepted', 'Aktiv: Ihre Schlüssel werden angenommen'],
  switchOff: ['Switch the platform off', 'Plattform abschalten'],
  switchOffSure: [(name: string) => `Switch ${name} off?`, (name: string) => `${name} abschalten?`],
  switchOffKeys: [
    'All its keys are refused and its sessions and streams end, from now on.',
    'Alle ihre Schlüssel werden ab sofort abgelehnt, Sitzungen und Ströme enden.',
  ],
  switchOffOthers: [
    'Counterparties can no longer answer its requests.',
    'Gegenseiten können ihre Anfragen nicht mehr beantworten.',
  ],
  switchOffKept: [
    'Its data stays. You can switch it on again.',
    'Ihre Daten bleiben. Sie können sie wieder einschalten.',
  ],
  velocityExempt: ['The velocity guard does not apply', 'Die Mengenprüfung gilt nicht'],
  rateLimit: ['Requests per minute', 'Anfragen je Minute'],
  limitHint: ['Empty: as the plan says. 0: no limit.', 'Leer: wie im Tarif. 0: keine Grenze.'],
  quota: ['Calls per month', 'Aufrufe je Monat'],
  tierNote: [
    'Applies to events from now on. Recorded events keep their weight.',
    'Gilt für Ereignisse ab jetzt. Eingetragene behalten ihr Gewicht.',
  ],
  made: ['The keys of the new platform', 'Die Schlüssel der neuen Plattform'],
  once: [
    'Copy both now. They are not shown again.',
    'Kopieren Sie jetzt beide. Sie werden nicht noch einmal gezeigt.',
  ],
  liveKey: ['Live', 'Echt'],
  testKey: ['Test', 'Test'],
  done: ['I have copied them', 'Ich habe sie kopiert'],
});
