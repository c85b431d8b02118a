import { counted } from '../../kit/format.ts';
import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Installation', 'Installation'],
  health: ['Health', 'Zustand'],
  overall: ['Overall', 'Insgesamt'],
  statuses: {
    operational: ['Everything works', 'Alles funktioniert'],
    degraded: ['Something is late', 'Etwas verzögert sich'],
    outage: ['Not available', 'Nicht erreichbar'],
  },
  checks: {
    ok: ['Works', 'In Ordnung'],
    late: ['Late', 'Verzögert'],
    failed: ['Fails', 'Gestört'],
    unknown: ['Not known', 'Nicht bekannt'],
  },
  database: ['Database', 'Datenbank'],
  worker: ['Scores', 'Werte'],
  outbox: ['Deliveries', 'Zustellungen'],
  log: ['Transparency log', 'Transparenzprotokoll'],
  latency: [(ms: string) => `round trip ${ms} ms`, (ms: string) => `Umlauf ${ms} ms`],
  lag: [
    (seconds: string) => `oldest entry waits ${seconds} s`,
    (seconds: string) => `ältester Eintrag wartet ${seconds} s`,
  ],
  failing: [
    (count: number) => `failing: ${counted(count, 'record', 'records')}`,
    (count: number) => `gescheitert: ${counted(count, 'Eintrag', 'Einträge')}`,
  ],
  facts: [
    (count: number) => counted(count, 'fact', 'facts'),
    (count: number) => counted(count, 'Fakt', 'Fakten'),
  ],
  uptime: ['Uptime, 24 hours and 7 days', 'Verfügbarkeit, 24 Stunden und 7 Tage'],
  processes: ['Processes', 'Prozesse'],
  running: [
    (running: string, configured: string) => `${running} of ${configured}`,
    (running: string, configured: string) => `${running} von ${configured}`,
  ],
  frozen: ['Frozen scores', 'Eingefrorene Werte'],
  frozenNote: [
    'Unusually many events came in within an hour. Look at them, then clear the flag: the score is computed from all of them.',
    'Ungewöhnlich viele Ereignisse kamen in einer Stunde. Sehen Sie sie an und geben Sie dann frei: Der Wert wird aus allen berechnet.',
  ],
  noneFrozen: ['No score is frozen.', 'Kein Wert ist eingefroren.'],
  more: ['More scores are frozen than are listed.', 'Es sind mehr Werte eingefroren, als hier stehen.'],
  subject: ['Subject', 'Person'],
  platform: ['Platform', 'Plattform'],
  since: ['Since', 'Seit'],
  clear: ['Clear', 'Freigeben'],
  clearOf: [(id: string) => `Clear the flag of ${id}`, (id: string) => `Freigeben: ${id}`],
  clearSure: [(id: string) => `Clear the flag of ${id}?`, (id: string) => `${id} freigeben?`],
  clearLost: [
    'All outcomes that came in during the freeze count from now on.',
    'Alle Ergebnisse, die in der Zwischenzeit eingegangen sind, zählen ab jetzt.',
  ],
  clearFinal: [
    'The score cannot be frozen again by hand, and the outcomes cannot be removed.',
    'Von Hand lässt sich der Wert nicht wieder einfrieren, und die Ergebnisse lassen sich nicht entfernen.',
  ],
  cleared: [
    (id: string) => `Cleared. The score of ${id} is computed again.`,
    (id: string) => `Freigegeben. Der Wert von ${id} wird neu berechnet.`,
  ],
  sweeps: ['Sweeps', 'Regelmäßige Läufe'],
  sweepsNote: [
    'They run by themselves. Run one now if you cannot wait.',
    'Sie laufen von selbst. Starten Sie einen, wenn Sie nicht warten können.',
  ],
  run: ['Run now', 'Jetzt starten'],
  runOf: [(name: string) => `Run now: ${name}`, (name: string) => `Jetzt starten: ${name}`],
  ran: [
    (name: string, count: string) => `${name}: ${count} changed or queued`,
    (name: string, count: string) => `${name}: ${count} geändert oder vorgemerkt`,
  ],
  sweepTexts: {
    reminders: ['Reminds platforms of requests that wait', 'Erinnert Plattformen an wartende Anfragen'],
    expiry: ['Ends requests whose time is over', 'Beendet Anfragen, deren Zeit um ist'],
    disputes: ['Ends disputes whose time is over', 'Beendet Streitfälle, deren Zeit um ist'],
    decay: [
      'Queues scores that were computed on an earlier day',
      'Merkt Werte vor, die an einem früheren Tag berechnet wurden',
    ],
    benchmarks: ['Computes cohorts and daily sums', 'Berechnet Vergleichsgruppen und Tagessummen'],
    retention: [
      'Deletes what is past its retention period',
      'Löscht, was seine Aufbewahrungszeit überschritten hat',
    ],
  },
  keys: ['Signing keys', 'Signaturschlüssel'],
  keysNote: [
    'Published in did.json. Rotate them with the command npm run rotate-signing-key.',
    'Veröffentlicht in did.json. Der Befehl npm run rotate-signing-key ersetzt sie.',
  ],
  audits: ['Audits', 'Prüfungen'],
  auditNote: [
    'The command npm run audit-ledger rebuilds every tally, score and leaf from the ledger. Its output names each difference.',
    'Der Befehl npm run audit-ledger baut jede Summe, jeden Wert und jedes Blatt aus dem Hauptbuch neu auf. Seine Ausgabe nennt jeden Unterschied.',
  ],
  noAudit: [
    'No audit has been run. Run one on the machine of the service, best every week:',
    'Es lief noch keine Prüfung. Starten Sie eine auf dem Rechner des Dienstes, am besten jede Woche:',
  ],
  ended: ['Ended', 'Beendet'],
  found: ['Found', 'Ergebnis'],
  clean: ['No difference', 'Kein Unterschied'],
  differences: [
    (count: number) => counted(count, 'difference', 'differences'),
    (count: number) => counted(count, 'Unterschied', 'Unterschiede'),
  ],
  events: ['Events', 'Ereignisse'],
  leaves: ['Leaves of the log', 'Blätter des Protokolls'],
  duration: ['Took', 'Dauer'],
  seconds: [(count: string) => `${count} s`, (count: string) => `${count} s`],
  backtests: ['Backtests', 'Rückvergleiche'],
  backtestsNote: [
    'A backtest compares scores of the past with the verified outcomes that followed, over all platforms. It changes nothing.',
    'Ein Rückvergleich stellt frühere Werte den bestätigten Ergebnissen gegenüber, die folgten, über alle Plattformen. Er ändert nichts.',
  ],
  basis: ['Past scores rest on', 'Frühere Werte beruhen auf dem, was'],
  bases: {
    recorded: ['what was recorded by then', 'bis dahin gemeldet war'],
    outcome: ['what had happened by then', 'bis dahin geschehen war'],
  },
  startBacktest: ['Start a backtest', 'Rückvergleich starten'],
  backtestStarted: ['The backtest has started.', 'Der Rückvergleich läuft.'],
  noBacktest: ['No backtest in the last 30 days.', 'Kein Rückvergleich in den letzten 30 Tagen.'],
  report: ['Report', 'Bericht'],
  underWay: [(percent: string) => `Under way: ${percent}`, (percent: string) => `Läuft: ${percent}`],
});
