/** What a factor rests on, in German. The text is stored in English with the score, without its figures. */
export function factorTextDe(description: string): string {
  for (const [pattern, german] of texts) {
    const match = pattern.exec(description);
    if (match) return german(match.slice(1));
  }
  // Another version of the formula wrote it.
  return description;
}

type Text = readonly [english: RegExp, german: (parts: string[]) => string];

const texts: readonly Text[] = [
  [/^No outcomes yet, so no completion rate\.$/, () => 'Noch keine Ergebnisse.'],
  [
    /^(\d+) of (\d+) (verified|unverified) outcomes? completed; (\d+ %) by weight\.$/,
    ([part, whole, kind, rate]) =>
      `${part} von ${whole} ${kind === 'verified' ? 'bestätigten' : 'unbestätigten'} Ergebnissen sind fertig, nach Gewicht ${rate}.`,
  ],
  [
    /^No completed outcome has both a due date and a completion date\.$/,
    () => 'Kein fertiges Ergebnis hat eine Frist und ein Datum der Fertigstellung.',
  ],
  [
    /^(\d+) of (\d+) completed outcomes? with both dates on time; (\d+ %) by weight\.$/,
    ([part, whole, rate]) =>
      `${part} von ${whole} fertigen Ergebnissen mit Frist waren pünktlich, nach Gewicht ${rate}.`,
  ],
  [
    /^No outcome is contested and no dispute was decided against the subject\.$/,
    () => 'Kein Ergebnis ist strittig, und kein Streit ging zu Ungunsten aus.',
  ],
  [
    /^(\d+) contested outcomes? and (\d+) disputes? decided against the subject\.$/,
    ([contested, lost]) => `Strittige Ergebnisse: ${contested}. Zu Ungunsten entschieden: ${lost}.`,
  ],
  [
    /^No completed outcomes that another party could have confirmed\.$/,
    () => 'Kein fertiges Ergebnis, das jemand anders bestätigen könnte.',
  ],
  [
    /^(\d+) of (\d+) completed outcomes? confirmed by another party; (\d+ %) by weight\.$/,
    ([part, whole, rate]) =>
      `${part} von ${whole} fertigen Ergebnissen hat jemand anders bestätigt, nach Gewicht ${rate}.`,
  ],
  [
    /^(.+ (?:nothing|points))\. Unverified outcomes lift a score to ([\d.]+) at most; only verified breaches lower it below ([\d.]+)\.$/,
    ([effect = '', ceiling = '', floor = '']) =>
      `${limitEffect(effect)} Unbestätigte Ergebnisse heben eine Bewertung höchstens auf ${comma(ceiling)}. Unter ${comma(floor)} senken sie nur bestätigte Brüche.`,
  ],
];

function limitEffect(english: string): string {
  const points = comma(/[\d.]+/.exec(english)?.[0] ?? '');
  if (english.startsWith('The floor')) return `Die Untergrenze brachte ${points} Punkte.`;
  if (english.startsWith('The ceiling')) return `Die Obergrenze kostete ${points} Punkte.`;
  return 'Ober- und Untergrenze haben nichts verändert.';
}

function comma(number: string): string {
  return number.replace('.', ',');
}
