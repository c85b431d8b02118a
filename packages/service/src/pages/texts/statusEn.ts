import type { StatusTexts } from './statusTexts.js';

export const statusEn: StatusTexts = {
  title: 'Status',
  kind: 'Status',
  headings: {
    operational: 'Everything works.',
    degraded: 'Something is late.',
    outage: 'The service is not available.',
  },
  leads: {
    operational: 'New outcomes are recorded, scores are up to date, and messages are sent.',
    degraded: 'New outcomes are recorded, and nothing is lost. What is marked below takes longer than usual.',
    outage: 'The database does not answer. Nothing that was recorded is lost. Please try again later.',
  },
  partsHeading: 'The parts',
  parts: {
    answers: ['Requests', 'outcomes are recorded, and scores can be read'],
    scores: ['Scores', 'new outcomes change the score'],
    messages: ['Messages', 'platforms are notified of changes'],
    log: ['Public log', 'new entries are signed'],
  },
  states: { ok: 'Works', late: 'Late', failed: 'Not available', unknown: 'Unknown' },
  uptimeHeading: 'How it has been',
  day: 'The last 24 hours',
  week: 'The last 7 days',
  uptimeNote: 'share of the minutes in which everything worked',
  unknown: 'not known yet',
  checked: (moment) => `Checked on ${moment}.`,
  again: 'Check again',
  data: ['Programs can read ', 'the same as data', '.'],
};
