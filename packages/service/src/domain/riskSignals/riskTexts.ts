interface RiskText {
  readonly title: string;
  readonly description: string;
}

/** The meaning of each signal and its condition. */
export const riskTexts = {
  VELOCITY_BURST: {
    title: 'Far more outcomes in a day than usual',
    description:
      'The day of the last 90 on which most outcomes happened stands out: its modified z-score (from median and median deviation) is ' +
      'above 3.5, or, where most days are alike, chance would bring so many less than once in ten thousand. Low from 10 outcomes ' +
      'that day, elevated from 50, high from 200. History that is reported late counts on its own days; imports are left out.',
  },
  SINGLE_WITNESS: {
    title: 'One party confirms most of it',
    description:
      'More than half of at least five confirmations come from one named party. Elevated from three quarters, high from nine ' +
      'tenths of ten or more. A single large client looks the same.',
  },
  RECIPROCAL_CONFIRMATION: {
    title: 'The subject and a witness confirm each other',
    description:
      'A party that confirms the subject is itself a subject whose events this one confirms. Elevated where such parties stand ' +
      'behind a fifth of the confirmations, high from half of them and five events.',
  },
  SHARED_WITNESS_RING: {
    title: 'A circle of subjects who confirm each other',
    description:
      'The subject belongs to three or more who confirm each other in a circle, found within two steps. Elevated where the circle ' +
      'stands behind a fifth of the confirmations, high from half of them and five events.',
  },
  SELF_ATTESTED_SHARE: {
    title: 'Much of it is confirmed by nobody else',
    description:
      'At least half of five or more positive outcomes are unverified. Elevated from nine tenths of ten or more.',
  },
  IDENTICAL_OUTCOMES: {
    title: 'Many outcomes are copies of each other',
    description:
      'Five or more events, and a fifth of those that can be compared, agree in type, stake, value, dates and witness with at least ' +
      'two others. Elevated from half of them, high from four fifths of ten or more.',
  },
  BULK_SAME_INSTANT: {
    title: 'Many outcomes at one instant',
    description:
      'Five or more outcomes, and a tenth of all, happened in the same millisecond. Elevated from 20, high from 100. Midnight UTC ' +
      'is taken for a day without a time and left out, as are imports without dates.',
  },
  DORMANT_THEN_ACTIVE: {
    title: 'Busy after a long silence',
    description:
      'No outcome for at least 180 days, then ten or more within 30 days, less than a year ago, by when they happened. Elevated ' +
      'from 30, high from 100.',
  },
  ANSWERED_BY_ASKER: {
    title: 'Confirmations answered by the one who asked',
    description:
      'A confirmation was answered with the API key or from the network of the request that asked for it. Elevated from five such ' +
      'answers and half of all, high from ten and nine tenths. An answer given on the premises of the platform looks the same.',
  },
} as const satisfies Record<string, RiskText>;
