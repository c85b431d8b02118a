import type { VerifyTexts } from './verifyTexts.js';

export const verifyEn: VerifyTexts = {
  title: (band, score) => `${band}, ${score}: reliability record`,
  unscoredTitle: 'No score yet: reliability record',
  kind: 'Reliability record',
  heading: 'How well were agreements kept?',
  lead: 'Somebody showed you this link to their record of agreements and how they turned out. Below is what it comes to now.',
  of: 'of 100',
  bands: {
    Excellent: 'Excellent',
    Good: 'Good',
    Fair: 'Fair',
    Building: 'Building',
    Unproven: 'Unproven',
    'High Risk': 'High Risk',
  },
  calledThere: () => null,
  bandRange: (band, from, below) =>
    below === null
      ? `Scores from ${from} up are called “${band}”.`
      : from === 0
        ? `Scores below ${below} are called “${band}”.`
        : `Scores from ${from} to below ${below} are called “${band}”.`,
  unscored: 'No score yet',
  unscoredNote: 'Nothing has been recorded yet that a score could be worked out from.',
  frozen:
    'Very many entries came in within a short time. Until they have been checked the score stands still, and may be out of date.',
  computed: (moment) => `Worked out on ${moment}`,

  restsHeading: 'What it rests on',
  totalEvents: 'Results on record',
  verifiedEvents: 'Confirmed by others',
  verifiedNote: 'by somebody other than the person or business it is about',
  verifiedPlatforms: 'Platforms that reported confirmed results',
  evidence: 'Amount of evidence',
  evidenceOf: { low: 'Little', medium: 'Some', high: 'Much' },
  confidence: (value) => `confidence ${value}, on a scale from 0 to 1`,

  recordHeading: 'The confirmed results',
  recordNote: 'Shown because whoever the record is about agreed to it.',
  kept: 'Agreements kept',
  broken: 'Agreements broken',
  disputed: 'In dispute',
  first: 'First one',
  last: 'Latest one',

  whoseHeading: 'Whose record is this?',
  whose: [
    'This page names nobody, on purpose. Only whoever handed you the link can say whose record it is.',
    'To be sure that it is theirs, have them send you the link from an account or address that you know.',
    'They can take the link back at any time. Then this page is gone.',
  ],
  notHeading: 'What it is not',
  not: [
    'It is not a decision and not advice. What you do with it is up to you, and so are the reasons you give for it.',
    'It is not a consumer report, and no proof of income.',
    'It says how agreements turned out before. It promises nothing about the next one.',
  ],

  checkHeading: 'How to check it',
  address: (start) =>
    `The address of this page begins with ${start}. A page at another address, or a picture of one, proves nothing.`,
  now: 'The figures are those of this moment. Load the page again, and you have the latest ones.',
  formula: (version) => [
    'No person and no AI sets a score. Formula ',
    `${version}, which is public,`,
    ' works it out from the recorded results alone.',
  ],
  data: ['Programs read ', 'the same figures as data', '.'],
  keys: ['Were you given a signed credential as well? It is checked with ', 'our public keys', '.'],
  status: (list, entry) => [
    'Whether it has been withdrawn stands in ',
    `status list ${list}`,
    `, at entry ${entry}.`,
  ],
  token: 'Share token of this record',

  nothing: {
    title: 'Nothing is shown here',
    heading: 'Nothing is shown here.',
    paragraphs: [
      'The link may have been taken back by whoever the record is about, or a part of it is missing.',
      'Ask for a new link, or copy all of the one you have. This page says nothing about whether there ever was a record.',
    ],
  },
};
