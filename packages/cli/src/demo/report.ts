/** A subject of the report with its score. */
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
  /** The highest severity of its risk signals, or `none`. */
  riskLevel: string;
}

/** A page to open in a browser. */
export interface Link {
  title: string;
  url: string;
}

/** Links, a table of subjects, best score first, and commands to paste. */
export function reportLines(url: string, subjects: readonly ScoreState[], links: readonly Link[]): string[] {
  return ['', ...linkLines(url, links), '', ...table(subjects), '', ...nextSteps(url, subjects), ''];
}

function linkLines(url: string, links: readonly Link[]): string[] {
  const all = [...links, { title: 'The API reference', url: `${url}/docs` }];
  return [
    'Open in a browser:',
    ...all.flatMap(({ title, url: address }) => [`  ${title}:`, `    ${address}`]),
  ];
}

function table(subjects: readonly ScoreState[]): string[] {
  const rows = subjects.map(({ userId, name, finalScore, scoreBand, confidence, riskLevel, about }) => [
    userId,
    name,
    finalScore.toFixed(2),
    scoreBand,
    confidence.toFixed(2),
    riskLevel,
    about,
  ]);
  const titles = ['subject', 'name', 'score', 'band', 'confidence', 'risk', 'about'];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

function nextSteps(url: string, subjects: readonly ScoreState[]): string[] {
  const best = subjects[0];
  const worst = subjects.at(-1);
  if (!best || !worst) return [];
  const flagged = subjects.find(({ riskLevel }) => riskLevel !== 'none') ?? best;
  const read = (path: string, key: string) =>
    `  curl -sS '${url}/api/v1${path}' -H 'Authorization: Bearer ${key}'`;
  return [
    'Commands to paste. Explain the lowest score, factor by factor, in the terminal and as JSON:',
    `  npx @reliability/cli explain ${worst.userId} --url ${url} --key ${worst.key}`,
    read(`/users/${worst.userId}/score/explain`, worst.key),
    'The last change of the highest score:',
    read(`/users/${best.userId}/score/delta`, best.key),
    'Its course by the day of each outcome:',
    read(`/users/${best.userId}/score/course`, best.key),
    `The risk signals of ${flagged.name}:`,
    read(`/users/${flagged.userId}/risk`, flagged.key),
    `Subjects of ${best.platform}, best first:`,
    read('/users?limit=10', best.key),
    'Save the proof of the lowest score, then verify it without the service:',
    `${read(`/users/${worst.userId}/score/proof`, worst.key)} > proof.json`,
    `  npx @reliability/cli verify proof.json --key "$(curl -sS '${url}/.well-known/ledger-log.json' | sed 's/.*"vkey":"\\([^"]*\\)".*/\\1/')"`,
    `Report one more outcome of ${best.name}, then read the score again:`,
    `  curl -sS '${url}/api/v1/events' -H 'Authorization: Bearer ${best.key}' -H 'Content-Type: application/json' ` +
      `-d '{"userId":"${best.userId}","eventType":"CONTRACT_BREACHED","isVerified":true}'`,
    read(`/users/${best.userId}/score`, best.key),
  ];
}
