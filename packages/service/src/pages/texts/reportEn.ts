import type { ReportTexts } from './reportTexts.js';

export const reportEn: ReportTexts = {
  kind: 'Reliability report',
  title: (subject) => `Reliability report: ${subject}`,
  origin: (platform, host, moment) =>
    `This is the name that ${platform} uses. ${host} created the report on ${moment}.`,

  courseHeading: 'Score over time',
  course: (first, last, lowest, highest) => `From ${first} to ${last}. Lowest ${lowest}, highest ${highest}.`,
  onlyDay: (score) => `The score was ${score}. There is no earlier result.`,
  scoreOn: (score, day) => `${score} on ${day}`,
  courseNote: 'Each result counts from the day on which it happened.',
  asTable: 'The same as a table',
  lastDays: { day: 'Day', week: 'Week up to', month: 'Month up to' },
  score: 'Score',
  band: 'Band',
  newResults: 'New results',

  publishedHeading: 'Scores as they were published',
  notAllShown: 'Not every change is shown.',
  date: 'Date',
  resultsConfirmed: 'Results, confirmed',
  reason: 'Reason',
  reasons: {
    decay: 'Older results count less',
    velocity_cleared: 'A check was completed',
    linked: 'Results of another platform were added',
    unlinked: 'Results of another platform were removed',
  },

  kept: 'Confirmed agreements kept',
  broken: 'Confirmed agreements broken',
  disputed: 'Confirmed results in dispute',
  confirmedShare: 'Share of results confirmed by others',
  percent: (share) => `${(share * 100).toFixed(1)} %`,
  first: 'First confirmed result',
  latest: 'Latest confirmed result',

  sumHeading: 'How the score adds up',
  start: 'Starting score of every record',
  factors: {
    completion: 'Agreements kept',
    timeliness: 'On time',
    disputes: 'Disputes',
    verification: 'Confirmation by others',
    gate: 'Floor and ceiling',
  },
  total: 'The score',
  raisesHeading: 'What raises the score',
  raisesNothing: 'Nothing stands out yet.',
  lowersHeading: 'What lowers the score',
  lowersNothing: 'Nothing stands out.',
  noteHeading: 'Please note',
  versions: (formula, codes, moment) =>
    `Scoring formula ${formula}, reason codes ${codes}. The score was calculated on ${moment}.`,
};
