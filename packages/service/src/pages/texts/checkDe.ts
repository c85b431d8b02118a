import type { CheckTexts } from './checkTexts.js';

export const checkDe: CheckTexts = {
  title: 'Nachweis oder Beleg prüfen',
  kind: 'Prüfen',
  heading: 'Ist das echt?',
  lead: 'Haben Sie einen Nachweis, eine Quittung oder den Beleg einer Bewertung bekommen? Prüfen Sie hier, ob das echt ist und noch gilt.',
  privacy:
    'Ihr Browser prüft. Nichts, was Sie eingeben, verlässt Ihr Gerät. Geladen werden nur öffentliche Schlüssel, Statuslisten und das öffentliche Protokoll.',
  withoutScript: [
    'Diese Seite prüft mit einem Skript, damit nichts, was Sie eingeben, Ihr Gerät verlässt. Ihr Browser führt es nicht aus.',
    'Ohne Skript prüfen Sie eine Quittung oder einen Beleg mit dem Befehl „reliability verify“ des Kommandozeilenprogramms. Der Betreiber dieses Dienstes hat es. Einen Nachweis prüft jedes Programm, das W3C Verifiable Credentials als JWT liest: Die Schlüssel stehen in /.well-known/did.json, und der Nachweis nennt seine Statusliste.',
  ],
  textLabel: 'Text einfügen',
  fileLabel: 'Oder eine Datei wählen',
  dropHint: 'Sie können eine Datei auch irgendwo auf diese Seite ziehen.',
  button: 'Prüfen',
  whatHeading: 'Was sich prüfen lässt',
  what: [
    [
      'Nachweis',
      'ein langer Text aus Buchstaben mit zwei Punkten. Er sagt, was eine Person oder Firma geleistet hat.',
    ],
    ['Quittung', 'eine Datei. Sie zeigt, dass ein Eintrag im öffentlichen Protokoll steht.'],
    [
      'Beleg einer Bewertung',
      'eine Datei mit allen Einträgen, die in einer Bewertung zählen. Die Bewertung wird daraus noch einmal berechnet.',
    ],
  ],
};
