/** Queries on the book: what platforms ask for, and what is hardest to answer. */

const DAY_MS = 86_400_000;

/** The start of the UTC day so many days ago, in the format of a query. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

/** Single filters that match many, few or no subjects. */
export const singleFilters: readonly string[] = [
  '',
  'scoreMin=80',
  'scoreMin=99.5',
  'scoreMax=30',
  ...['Excellent', 'Good', 'Fair', 'Building', 'Unproven', 'High%20Risk'].map((band) => `band=${band}`),
  'hasScore=true',
  'hasScore=false',
  'scoreFrozen=true',
  'scoreFrozen=false',
  'subjectType=PERSON',
  'subjectType=AGENT',
  'subjectType=ORGANIZATION',
  `activeSince=${daysAgo(1)}`,
  `activeSince=${daysAgo(30)}`,
  `activeSince=${daysAgo(365)}`,
  'activeSince=2100-01-01',
  `registeredSince=${daysAgo(3)}`,
  `registeredSince=${daysAgo(30)}`,
  `registeredSince=${daysAgo(180)}`,
  `registeredBefore=${daysAgo(365)}`,
  `registeredBefore=${daysAgo(1090)}`,
  'hasVerifiedEvents=true',
  'hasVerifiedEvents=false',
  'minVerifiedEvents=3',
  'minVerifiedEvents=60',
  'minVerifiedEvents=100000',
];

/** Combined filters. Some match few subjects although each filter alone matches many. */
export const combinedFilters: readonly string[] = [
  `band=High%20Risk&activeSince=${daysAgo(30)}`,
  'subjectType=AGENT&scoreMin=80',
  `subjectType=ORGANIZATION&minVerifiedEvents=20&activeSince=${daysAgo(90)}`,
  `registeredSince=${daysAgo(30)}&hasVerifiedEvents=true`,
  `registeredSince=${daysAgo(180)}&scoreMin=65`,
  `registeredSince=${daysAgo(90)}&minVerifiedEvents=50`,
  'band=Excellent&hasVerifiedEvents=false',
  'scoreFrozen=true&band=Good',
  `scoreMin=50&scoreMax=60&registeredBefore=${daysAgo(365)}&activeSince=${daysAgo(30)}`,
  `scoreMin=49&scoreMax=51&registeredSince=${daysAgo(400)}&registeredBefore=${daysAgo(300)}`,
  `activeSince=${daysAgo(1)}&registeredBefore=${daysAgo(1000)}`,
  `subjectType=PERSON&scoreFrozen=false&minVerifiedEvents=20&scoreMin=65&activeSince=${daysAgo(90)}`,
];

/**
 * Searches whose parts are in many, some or no names and ids, of one character or more, alone and with
 * filters: `worker-0000000` to `worker-0999999`, and 500 names of 2 000 subjects each.
 */
export const searches: readonly string[] = [
  ...['tanaka', 'YUKI TAN', 'oë', 'ë', 'z', 'q', 'an', '99', '4711', 'worker-0004711', '111111', 'worker'],
  ...['anatan', 'zzz', 'qx', 'ß', '%25', 'er müller'],
]
  .map((text) => `q=${text}`)
  .concat(
    'q=tanaka&band=Good',
    `q=weber&activeSince=${daysAgo(30)}`,
    `q=9&registeredSince=${daysAgo(3)}`,
    'q=zoë silva&scoreFrozen=true',
    'q=yuki&subjectType=AGENT&minVerifiedEvents=20',
    'q=worker-01&hasScore=false',
  );

export const orders: readonly string[] = ['score', 'lastActivity', 'registered', 'externalId'].flatMap(
  (sort) => ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`),
);

/** Filters whose page 1000 is requested. Each matches many subjects, also in the smaller book. */
export const deepFilters: readonly string[] = [
  '',
  'hasVerifiedEvents=true',
  'subjectType=PERSON&scoreFrozen=false',
];
