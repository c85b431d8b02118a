import { counted } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Policies and monitors', 'Regeln und Beobachtungen'],
  threshold: ['Try a threshold', 'Eine Schwelle ausprobieren'],
  how: [
    'Drag the line over the book, or use the arrow keys. Nothing is saved before you save it.',
    'Ziehen Sie die Linie über den Bestand, oder nehmen Sie die Pfeiltasten. Gespeichert wird erst auf Wunsch.',
  ],
  below: ['falls below', 'fällt unter'],
  above: ['rises above', 'steigt über'],
  direction: ['Direction', 'Richtung'],
  handle: ['Threshold in points', 'Schwelle in Punkten'],
  empty: [
    'No score yet. Report outcomes or import a file, then a threshold can be tried on the book.',
    'Noch kein Wert. Melden Sie Ergebnisse oder importieren Sie eine Datei.',
  ],
  tooLarge: [
    'So large a book is counted every ten minutes: not yet. The lists below work.',
    'Ein so großer Bestand wird alle zehn Minuten gezählt: noch nicht. Die Listen unten gehen trotzdem.',
  ],
  histogram: [
    (count: number) => `Scores of ${counted(count, 'subject', 'subjects')}, by points`,
    (count: number) => `Werte von ${counted(count, 'Person', 'Personen')}, nach Punkten`,
  ],
  bin: [
    (points: string, count: string) => `${points} points: ${count}`,
    (points: string, count: string) => `${points} Punkte: ${count}`,
  ],
  past: ['Past it now', 'Jetzt jenseits'],
  pastOf: [(share: string) => `${share} of the book`, (share: string) => `${share} des Bestands`],
  crossed: ['Would have crossed in 90 days', 'Hätten sie in 90 Tagen überschritten'],
  crossedNote: [
    'as if each outcome had counted on its day',
    'als hätte jedes Ergebnis an seinem Tag gezählt',
  ],
  crossings: ['Notifications in 90 days', 'Meldungen in 90 Tagen'],
  notCounted: ['not counted: the book is too large', 'nicht gezählt: der Bestand ist zu groß'],
  subjects: [
    'Subjects past it, or that would have crossed',
    'Personen jenseits der Schwelle, jetzt oder zwischenzeitlich',
  ],
  subject: ['Subject', 'Person'],
  score: ['Score', 'Wert'],
  band: ['Band', 'Stufe'],
  now: ['Now', 'Jetzt'],
  isPast: ['past it', 'jenseits'],
  times: ['Crossings', 'Überschreitungen'],
  last: ['Last crossing', 'Zuletzt'],
  readOnly: [
    'Trying a condition is not available while you look at a platform as the operator.',
    'Bedingungen lassen sich nicht ausprobieren, während Sie eine Plattform als Betreiber ansehen.',
  ],
  nobody: [
    'Nobody is past this threshold, and nobody would have crossed it.',
    'Niemand ist jenseits dieser Schwelle, und niemand hätte sie überschritten.',
  ],
  save: ['Save as a policy', 'Als Regel speichern'],
  name: ['Name', 'Name'],
  forOne: ['Only for this subject', 'Nur für diese Person'],
  forAll: ['all subjects', 'alle Personen'],
  saved: [
    'The policy is saved. From the next change of a score on, it reports each crossing.',
    'Die Regel ist gespeichert. Ab der nächsten Änderung eines Werts meldet sie jede Überschreitung.',
  ],
  policies: ['Policies', 'Regeln'],
  noPolicies: [
    'No policy yet. Try a threshold above and save it.',
    'Noch keine Regel. Probieren Sie oben eine Schwelle aus und speichern Sie sie.',
  ],
  deletePolicy: [
    (name: string) => `Delete the policy ${name}?`,
    (name: string) => `Die Regel ${name} löschen?`,
  ],
  deleteMonitor: [
    (id: string) => `Delete the monitor of ${id}?`,
    (id: string) => `Die Beobachtung von ${id} löschen?`,
  ],
  deleteLost: [
    (terms: string) => `Nobody is told any more when: ${terms}.`,
    (terms: string) => `Niemand erfährt mehr, wenn: ${terms}.`,
  ],
  deleteNote: [
    'Scores and what was sent stay as they are. To stop it for a while, pause it.',
    'Werte und bereits Gesendetes bleiben. Für eine Pause halten Sie es an.',
  ],
  show: ['Show on the book', 'Am Bestand zeigen'],
  monitors: ['Monitors', 'Beobachtungen'],
  noMonitors: [
    'No monitor yet. A monitor watches one subject.',
    'Noch keine Beobachtung. Sie gilt einer einzelnen Person.',
  ],
  addMonitor: ['Watch a subject', 'Person beobachten'],
  belowScore: ['Report when the score falls below', 'Melden, wenn der Wert fällt unter'],
  aboveScore: ['Report when the score rises above', 'Melden, wenn der Wert steigt über'],
  onBandChange: ['Report each change of the band', 'Jeden Wechsel der Stufe melden'],
  bandChanges: ['the band changes', 'die Stufe wechselt'],
  lastTriggered: ['Last report', 'Letzte Meldung'],
  never: ['never', 'nie'],
  enter: ['enters', 'erreicht'],
  leave: ['leaves', 'verlässt'],
  search: ['Monitors of the subject', 'Beobachtungen der Person'],
});
