interface RiskText {
  readonly title: string;
  readonly description: string;
}

/** The meaning of each signal and its condition. */
export const riskTexts = {
  VELOCITY_BURST: {
    title: 'Far more outcomes in a day than usual',
    description:
      'The busiest of the last 90 days is an outlier: its modified z-score (from median and median deviation) is above 3.5. If most ' +
      'days are equal, the probability of so many outcomes is below 1 in 10,000. Low from 10 outcomes on that day, elevated from ' +
      '50, high from 200. An outcome counts on the day it happened, even if it was reported late. Imports are left out.',
  },
  SINGLE_WITNESS: {
    title: 'One party confirms most outcomes',
    description:
      'More than half of at least five confirmations come from one named party. Elevated from three quarters, high from nine ' +
      'tenths of ten or more. A single large client looks the same.',
  },
  RECIPROCAL_CONFIRMATION: {
    title: 'The subject and a witness confirm each other',
    description:
      'The subject confirms events of a party that confirms the subject. Elevated if such parties give a fifth of the ' +
      'confirmations, high from half of them and five events.',
  },
  SHARED_WITNESS_RING: {
    title: 'A circle of subjects who confirm each other',
    description:
      'The subject and at least two others confirm each other in a circle, found within three steps. Elevated if the circle gives ' +
      'a fifth of the confirmations, high from half of them and five events.',
  },
  SELF_ATTESTED_SHARE: {
    title: 'Many outcomes are confirmed by nobody else',
    description:
      'At least half of five or more positive outcomes are unverified. Elevated from nine tenths of ten or more.',
  },
  IDENTICAL_OUTCOMES: {
    title: 'Many outcomes are copies of each other',
    description:
      'Five or more events, and a fifth of the comparable ones, have the same type, stake, value, dates and witness as at least two ' +
      'others. Elevated from half of them, high from four fifths and ten events.',
  },
  BULK_SAME_INSTANT: {
    title: 'Many outcomes at one instant',
    description:
      'Five or more outcomes, and a tenth of all, happened in the same millisecond. Elevated from 20, high from 100. Midnight UTC ' +
      'means a day without a time and is left out, like imports without dates.',
  },
  DORMANT_THEN_ACTIVE: {
    title: 'Busy after a long silence',
    description:
      'No outcome for at least 180 days, then ten or more within 30 days, within the last year. The time of the outcomes counts, ' +
      'not of the reports. Elevated from 30, high from 100.',
  },
  ANSWERED_BY_ASKER: {
    title: 'Confirmations answered by the one who asked',
    description:
      'A confirmation was answered with the API key or from the network of the request that asked for it. Elevated from five such ' +
      'answers and half of all, high from ten and nine tenths. An answer given in the offices of the platform looks the same.',
  },
  BACKDATED_ADVERSE: {
    title: 'Bad outcomes are reported long after their date',
    description:
      'A breach or contested outcome is dated more than 30 days before its report and was not imported. Old outcomes weigh less, so ' +
      'an old date hides them. Elevated if one is more than 180 days old, high from three such. A late complaint looks the same, and ' +
      'so does an old history that was not sent by POST /imports.',
  },
  LOW_BEFORE_HIGH: {
    title: 'Many small jobs just before a large one',
    description:
      'Ten or more positive LOW outcomes in the week before a HIGH outcome, the first one for 90 days. The pace of the 90 ' +
      'days before and after gives so many a probability below 1 in 10,000. Elevated from 50, or if the HIGH outcome was broken or contested; high if both. ' +
      'A busy start looks the same.',
  },
  POSITIVES_WITHIN_MINUTES: {
    title: 'Several good outcomes within minutes',
    description:
      'Five or more positive outcomes, and a tenth of all events, happened within ten minutes. Elevated from 20, high from 100. For ' +
      'agents and organizations twenty times as many. Imports are left out. A platform that reports a day of work at once, without times, looks the same.',
  },
  DUE_DATE_AT_COMPLETION: {
    title: 'Due dates follow the completion',
    description:
      'In five or more positive outcomes, and half of those with both dates, the due date lies the same time after the completion, to ' +
      'the second and at most an hour. Such due dates were set afterwards, so being on time means nothing. Elevated from nine tenths ' +
      'of ten or more. Dates without a time are left out.',
  },
} as const satisfies Record<string, RiskText>;
