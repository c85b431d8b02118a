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
      `${platform} keeps a record of how work with ${subject} turned out, and names you as someone who was part of it. Please read the entry below and say whether it is right.`,
    referenceLead: (platform, subject) =>
      `${subject} has told ${platform} what is written below, and names you as someone who knows. Please read it and say whether it is right.`,
    inWordsOf: (platform) => `In the words of ${platform}`,
    about: 'About',
    calledSoBy: (platform) => `${platform}’s own name for this person or business`,
    value: 'Value',
    valueUnit: (platform) => `a number of ${platform}’s own, in no currency`,
    due: 'Due',
    completed: 'Done',
    organization: 'Where',
    from: 'From',
    until: 'To',
    meaningHeading: 'What your answer does',
    yes: 'Yes, this is right',
    no: 'No, this is not right',
    yesMeans: (subject, weight) =>
      `The entry joins the record of ${subject} as confirmed by somebody else. ${YES_WEIGHS[weight]}`,
    yesMeansReference: (subject) =>
      `The entry joins the profile of ${subject} as confirmed by somebody else. It changes no score.`,
    noMeans: 'Nothing is added to any record. Saying no does not count against anybody.',
    answerBy: (moment) => `You can answer until ${moment}.`,
    chooseOne: 'Please choose one of the two answers.',
    nextHeading: 'Good to know',
    next: (platform) => [
      `${platform} learns your answer. You can answer once, and not change it later.`,
      'If you are not sure, or would rather not say, just close this page. Without an answer nothing is added.',
      'Your answer is not a contract and not a signature. You need no account, and this page sets no cookies.',
      `Kept with the request are your answer and its time, roughly which network it came from, the kind of browser, and what ${platform} itself wrote about it and you.`,
    ],
  },

  outcomes: {
    TRANSACTION_COMPLETED: 'A job, a sale or an order was completed.',
    TRANSACTION_DISPUTED: 'There was a disagreement about a job, a sale or an order.',
    TRANSACTION_CANCELLED: 'A job, a sale or an order was called off.',
    REVIEW_VERIFIED: 'A review was given by someone who was really there.',
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
      `The entry now stands on the record of ${subject}, confirmed by you. ${platform} can see your answer.`,
      DONE,
    ],
  }),
  referenceConfirmed: (platform, subject) => ({
    title: `Thank you, confirmed: ${platform}`,
    heading: 'Thank you. It is confirmed.',
    paragraphs: [
      `The entry now stands in the profile of ${subject}, confirmed by you. ${platform} can see your answer.`,
      DONE,
    ],
  }),
  declined: (platform, subject) => ({
    title: `Your no is noted: ${platform}`,
    heading: 'Thank you. Your no is noted.',
    paragraphs: [
      `Nothing was added to the record of ${subject}, and nothing counts against anybody. ${platform} can see that you said no.`,
      DONE,
    ],
  }),
  alreadyAnswered: (answer, moment, platform) => ({
    title: `Already answered: ${platform}`,
    heading: 'This has been answered already.',
    paragraphs: [
      `The answer was “${answer === 'yes' ? 'Yes, this is right' : 'No, this is not right'}”${moment && `, given on ${moment}`}. It is given once and stays as it is.`,
      `If that was not you, please tell ${platform}. Otherwise there is nothing left to do.`,
    ],
  }),
  expired: (moment, platform) => ({
    title: `Time is over: ${platform}`,
    heading: 'The time to answer is over.',
    paragraphs: [
      `It ended on ${moment}. Nothing was added to any record, and nothing counts against anybody.`,
      `If it still matters, ${platform} can send you a new link.`,
    ],
  }),
  cancelled: (platform) => ({
    title: `Question taken back: ${platform}`,
    heading: 'This question was taken back.',
    paragraphs: [`${platform} no longer needs an answer. Nothing was added to any record.`, DONE],
  }),
  wrongLink: {
    title: 'This link does not work',
    heading: 'This link does not work.',
    paragraphs: [
      'Part of it may be missing, as when a message breaks a long line. Open it again from the message you were sent, or copy all of it.',
      'If you have answered before, you are done. If the link still does not work, ask whoever sent it for a new one.',
    ],
  },
  noOtherParty: {
    title: 'Another party has to answer',
    heading: 'Another party has to answer.',
    paragraphs: [
      'The name this question was sent to has since been declared as the one it is about, or as the one who runs it. Nobody can confirm their own work.',
      'Your answer was not recorded. Please tell the sender of the link.',
    ],
  },
  closed: {
    title: 'No answers are taken now',
    heading: 'No answers are taken now.',
    paragraphs: [
      'The sender of this link takes no answers at the moment. Nothing was added to any record, and nothing counts against anybody.',
      'If it still matters, ask them whether your link will work again.',
    ],
  },
  tooMany: {
    title: 'Please wait a minute',
    heading: 'Please wait a minute.',
    paragraphs: [
      'Too many requests came from your network just now. Open your link again after that: nothing is lost.',
    ],
  },
  unavailable: {
    title: 'Not available just now',
    heading: 'This page is not available just now.',
    paragraphs: [
      'Please open your link again in a few minutes. If you have just answered, it will show whether your answer arrived.',
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
      'Please open your link again in a few minutes. If you have just answered, it will show whether your answer arrived.',
    ],
  },
  requestId: 'If you ask for help, name this number:',

  verify: verifyEn,

  backTo: (host) => `Back to ${host}`,
  shownBy: (host, platform) => `${host} shows this page for ${platform}.`,
};

const YES_WEIGHS = {
  for: 'It counts in their favour.',
  neither: 'It counts neither for nor against them.',
  against: 'It counts against them.',
};

const DONE = 'There is nothing left to do. You can close this page.';
