import type { VerifyTexts } from './verifyTexts.js';

export const verifyEn: VerifyTexts = {
  title: (band, score) => `${band}, ${score}: reliability record`,
  unscoredTitle: 'No score yet: reliability record',
  kind: 'Reliability record',
  heading: 'How well were agreements kept?',
  lead: 'Someone gave you this link to their record. It shows how agreements turned out and the current score.',
  of: 'of 100',
  bands: {
    Excellent: 'Excellent',
    Good: 'Good',
    Fair: 'Fair',
    Building: 'Building',
    Unproven: 'Unproven',
    'High Risk': 'High Risk',
  },
  apiNameOf: () => null,
  bandRange: (band, from, below) =>
    below === null
      ? `Scores from ${from} up are called “${band}”.`
      : from === 0
        ? `Scores below ${below} are called “${band}”.`
        : `Scores from ${from} to below ${below} are called “${band}”.`,
  unscored: 'No score yet',
  unscoredNote: 'Nothing has been recorded yet, so there is no score.',
  frozen:
    'Very many entries came in within a short time. The score is paused until they have been checked, so it may be out of date.',
  computed: (moment) => `Calculated on ${moment}`,
  loggedSince: (moment) => `In the public log since ${moment}`,
  notLoggedYet: 'Not in the public log yet. New scores are added within seconds.',

  restsHeading: 'What the score is based on',
  totalEvents: 'Recorded results',
  verifiedEvents: 'Confirmed by others',
  verifiedNote: 'by someone other than the person or business it is about',
  parties: 'Parties that confirmed them',
  largest: (ofLargest, all, isPlatform) =>
    `${ofLargest} of ${all} confirmations come from one party${isPlatform ? ', the platform that reported them' : ''}`,
  verifiedPlatforms: 'Platforms that reported confirmed results',
  evidence: 'Amount of evidence',
  evidenceOf: { low: 'Little', medium: 'Some', high: 'A lot' },
  confidence: (value) => `confidence ${value}, on a scale from 0 to 1`,
  registered: 'On record since',
  tenure: (days, count) => (days === 0 ? 'since today' : days === 1 ? 'for 1 day' : `for ${count} days`),

  recordHeading: 'The confirmed results',
  recordNote: 'Shown because the person or business it is about agreed to it.',
  kept: 'Agreements kept',
  broken: 'Agreements broken',
  disputed: 'In dispute',
  first: 'First result',
  last: 'Latest result',

  whoseHeading: 'Whose record is this?',
  whose: [
    'This page deliberately shows no name. Only the person who gave you the link can tell you whose record it is.',
    'To be sure that it is theirs, ask them to send you the link from an account or address that you know.',
    'They can withdraw the link at any time. This page then disappears.',
  ],
  notHeading: 'What the score is not',
  not: [
    'It is not a decision and not advice. What you do with it is your decision, and you are responsible for your reasons.',
    'It is not a consumer report and not proof of income.',
    'It shows how past agreements turned out. It promises nothing about the next one.',
  ],

  checkHeading: 'How to check it',
  address: (start) =>
    `The address of this page starts with ${start}. A page at another address or a picture of a page proves nothing.`,
  now: 'The figures were current when this page was opened. Reload it to see the latest ones.',
  formula: (version) => [
    'No person and no AI sets a score. It is calculated from the recorded results alone, by the ',
    `public formula ${version}`,
    '.',
  ],
  data: ['Programs can read ', 'the same figures as data', '.'],
  check: ['Did you also receive a signed credential or a proof? ', 'Check it here', '.'],
  keys: ['Programs check it with ', 'our public keys', '.'],
  status: (list, entry) => [
    'To see whether it was withdrawn, look at ',
    `status list ${list}`,
    `, entry ${entry}.`,
  ],
  logged: (leaf) => [
    `The score is entry ${leaf} of the public log. Nobody can change it there unnoticed: each `,
    'signed state',
    ' covers all entries before it.',
  ],
  token: 'Share token of this record',

  nothing: {
    title: 'Nothing is shown here',
    heading: 'Nothing is shown here.',
    paragraphs: [
      'The link may have been withdrawn, or part of it may be missing.',
      'Ask for a new link, or copy all of the one you have. This page does not reveal whether there ever was a record.',
    ],
  },
};
