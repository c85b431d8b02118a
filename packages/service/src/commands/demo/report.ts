/** A subject worth a look, as it stands. */
export interface ScoreState {
  userId: string;
  name: string;
  about: string;
  platform: string;
  /** Key that may read it. */
  key: string;
  finalScore: number;
  scoreBand: string;
  confidence: number;
}

/** The table of what to look at, best score first, and lines to paste. */
export function reportText(url: string, standings: readonly ScoreState[]): string {
  return ['', ...table(standings), '', ...nextSteps(url, standings), ''].join('\n');
}

function table(standings: readonly ScoreState[]): string[] {
  const rows = standings.map(({ userId, platform, finalScore, scoreBand, confidence, about }) => [
    userId,
    platform,
    finalScore.toFixed(2),
    scoreBand,
    confidence.toFixed(2),
    about,
  ]);
  const titles = ['subject', 'platform', 'score', 'band', 'confidence', 'why it is worth a look'];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

function nextSteps(url: string, standings: readonly ScoreState[]): string[] {
  const best = standings[0];
  const worst = standings.at(-1);
  if (!best || !worst) return [];
  const read = (path: string, key: string) =>
    `  curl -sS '${url}/api/v1${path}' -H 'Authorization: Bearer ${key}'`;
  return [
    'Ready to paste. Why the lowest of them stands where it does, factor by factor:',
    read(`/users/${worst.userId}/score/explain`, worst.key),
    'What moved the score of the highest last:',
    read(`/users/${best.userId}/score/delta`, best.key),
    `The book of ${best.platform}, best first:`,
    read('/users?limit=10', best.key),
    `Report one more outcome of ${best.name}, then read the score again:`,
    `  curl -sS '${url}/api/v1/events' -H 'Authorization: Bearer ${best.key}' -H 'Content-Type: application/json' ` +
      `-d '{"userId":"${best.userId}","eventType":"CONTRACT_BREACHED","isVerified":true}'`,
    read(`/users/${best.userId}/score`, best.key),
  ];
}
