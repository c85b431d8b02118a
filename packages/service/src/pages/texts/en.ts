import { checkEn } from './checkEn.js';
import { howEn } from './howEn.js';
import { offerEn } from './offerEn.js';
import { reportEn } from './reportEn.js';
import { statusEn } from './statusEn.js';
import type { Texts } from './texts.js';
import { verifyEn } from './verifyEn.js';

export const en: Texts = {
  tag: 'en',
  locale: 'en-GB',
  name: 'English',
  utc: 'UTC',
  languageLabel: 'Language',
  testNote: 'This is a test. Nothing real is recorded.',

  ask: {
    title: (platform) => `Is this right? ${platform} asks you`,
    asks: (platform) => `${platform} asks you`,
    greeting: 'Hello,',
    greetingTo: (name) => `Hello ${name},`,
    heading: 'Is this right?',
    confirmationLead: (platform, subject) =>
      `${platform} records how work with ${subject} went and names you as someone who was involved. Please read the entry below and say whether it is right.`,
    referenceLead: (platform, subject) =>
      `${subject} gave ${platform} the details below and named you as someone who can confirm them. Please read them and say whether they are right.`,
    inWordsOf: (platform) => `In the words of ${platform}`,
    about: 'About',
    calledSoBy: (platform) => `${platform}’s name for this person or business`,
    value: 'Value',
    valueUnit: (platform) => `a number from ${platform}, without a currency`,
    due: 'Due',
    completed: 'Done',
    organization: 'Where',
    from: 'From',
    until: 'To',
    meaningHeading: 'What your answer does',
    yes: 'Yes, this is right',
    no: 'No, this is not right',
    yesMeans: (subject, weight) =>
      `The entry is added to the record of ${subject} as confirmed. ${YES_WEIGHS[weight]}`,
    yesMeansReference: (subject) =>
      `The entry is added to the profile of ${subject} as confirmed. It does not change a score.`,
    noMeans: 'Nothing is added to any record. A no does not count against anyone.',
    answerBy: (moment) => `You can answer until ${moment}.`,
    chooseOne: 'Please choose one of the two answers.',
    nextHeading: 'Good to know',
    next: (platform) => [
      `${platform} sees your answer. You can answer only once and cannot change it later.`,
      'If you are not sure or prefer not to say, just close this page. Without an answer, nothing is added.',
      'Your answer is not a contract and not a signature. You do not need an account. This page sets no cookies.',
      `We keep your answer and its time, the approximate network it came from, the type of browser, and what ${platform} wrote about the entry and about you.`,
    ],
  },

  outcomes: {
    TRANSACTION_COMPLETED: 'A job, a sale or an order was completed.',
    TRANSACTION_DISPUTED: 'There was a disagreement about a job, a sale or an order.',
    TRANSACTION_CANCELLED: 'A job, a sale or an order was called off.',
    REVIEW_VERIFIED: 'A review was written by someone who was really there.',
    CONTRACT_FULFILLED: 'An agreement was kept: what was promised was done.',
    CONTRACT_CANCELLED: 'An agreement was called off.',
    CONTRACT_BREACHED: 'An agreement was broken: what was promised was not done.',
  },
  claims: {
    employment: 'Worked in this role.',
    education: 'Learned this.',
    certification: 'Holds this certificate.',
    skill: 'Can do this.',
  },

  confirmed: (platform, subject) => ({
    title: `Thank you, confirmed: ${platform}`,
    heading: 'Thank you. It is confirmed.',
    paragraphs: [
      `The entry is now on the record of ${subject}, confirmed by you. ${platform} can see your answer.`,
      DONE,
    ],
  }),
  referenceConfirmed: (platform, subject) => ({
    title: `Thank you, confirmed: ${platform}`,
    heading: 'Thank you. It is confirmed.',
    paragraphs: [
      `The entry is now in the profile of ${subject}, confirmed by you. ${platform} can see your answer.`,
      DONE,
    ],
  }),
  declined: (platform, subject) => ({
    title: `Your no is noted: ${platform}`,
    heading: 'Thank you. Your no is noted.',
    paragraphs: [
      `Nothing was added to the record of ${subject}, and nothing counts against anyone. ${platform} can see that you said no.`,
      DONE,
    ],
  }),
  alreadyAnswered: (answer, moment, platform) => ({
    title: `Already answered: ${platform}`,
    heading: 'This has already been answered.',
    paragraphs: [
      `The answer was “${answer === 'yes' ? 'Yes, this is right' : 'No, this is not right'}”${moment && `, given on ${moment}`}. It cannot be changed.`,
      `If that was not you, please tell ${platform}. Otherwise you do not need to do anything.`,
    ],
  }),
  expired: (moment, platform) => ({
    title: `Time is over: ${platform}`,
    heading: 'The time to answer is over.',
    paragraphs: [
      `It ended on ${moment}. Nothing was added to any record, and nothing counts against anyone.`,
      `If it still matters, ${platform} can send you a new link.`,
    ],
  }),
  cancelled: (platform) => ({
    title: `Question withdrawn: ${platform}`,
    heading: 'This question was withdrawn.',
    paragraphs: [`${platform} no longer needs an answer. Nothing was added to any record.`, DONE],
  }),
  wrongLink: {
    title: 'This link does not work',
    heading: 'This link does not work.',
    paragraphs: [
      'Part of it may be missing, for example because the message broke a long line. Open the link in the message again, or copy all of it.',
      'If you have already answered, you are done. If the link still does not work, ask the sender for a new one.',
      'The question is also gone if the person it was about had their data deleted. Then you need do nothing.',
    ],
  },
  noOtherParty: {
    title: 'Someone else has to answer',
    heading: 'Someone else has to answer.',
    paragraphs: [
      'Since this question was sent, you have been named as the person or business it is about, or as the one who runs it. Nobody can confirm their own work.',
      'Your answer was not recorded. Please tell the sender of the link.',
    ],
  },
  closed: {
    title: 'The sender of this link is closed',
    heading: 'The sender of this link is closed.',
    paragraphs: [
      'The platform that sent this link is closed and accepts no answers. Nothing was added to any record, and nothing counts against anyone.',
      'If it still matters, ask the sender whether your link will work again.',
    ],
  },
  tooMany: {
    title: 'Please wait a minute',
    heading: 'Please wait a minute.',
    paragraphs: [
      'Too many requests came from your network. Open your link again in a minute. Nothing is lost.',
    ],
  },
  unavailable: {
    title: 'Not available right now',
    heading: 'This page is not available right now.',
    paragraphs: [
      'Please open your link again in a few minutes. If you have just answered, the page will then show whether your answer arrived.',
    ],
  },
  unreadable: {
    title: 'That could not be read',
    heading: 'That could not be read.',
    paragraphs: ['Please open your link again and choose one of the two answers there.'],
  },
  failed: {
    title: 'Something went wrong',
    heading: 'Something went wrong on our side.',
    paragraphs: [
      'Please open your link again in a few minutes. If you have just answered, the page will then show whether your answer arrived.',
    ],
  },
  requestId: 'If you ask for help, give this number:',

  verify: verifyEn,
  check: checkEn,
  how: howEn,
  status: statusEn,
  offer: offerEn,
  report: reportEn,

  backTo: (host) => `Back to ${host}`,
  shownBy: (host, platform) => `${host} provides this page for ${platform}.`,
};

const YES_WEIGHS = {
  for: 'It counts in their favour.',
  neither: 'It counts neither for nor against them.',
  against: 'It counts against them.',
};

const DONE = 'You do not need to do anything else. You can close this page.';
