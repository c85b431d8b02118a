import type { OfferTexts } from './offerTexts.js';

export const offerEn: OfferTexts = {
  title: 'Add a credential to your wallet',
  kind: 'Credential offer',
  heading: (credential) => `Add “${credential}” to your wallet`,
  lead: (platform) => `${platform} offers you this credential.`,
  wallet: 'A wallet is an app that keeps credentials on your device and shows them when you want.',
  credentials: {
    ServiceProfessionalRecordCredential: [
      'Professional record',
      'It says how many agreements were kept and broken, and how much of that others confirmed.',
    ],
    ServiceEarningsCredential: ['Earnings record', 'It says what confirmed work was worth, month by month.'],
    ServiceDeliveryReceiptCredential: ['Delivery receipts', 'It says what was delivered and confirmed.'],
    ServiceAgentDeliveryCredential: [
      'Deliveries of an agent',
      'It says what a software agent delivered and who confirmed it.',
    ],
    ServiceBusinessRecordCredential: ['Business record', 'It says how a business kept its agreements.'],
  },
  scan: 'Scan this code with your wallet app.',
  qrLabel: 'QR code that opens the offer in a wallet app',
  open: 'Open in a wallet on this device',
  openNote: 'If nothing happens, there is no wallet app on this device.',
  txCode: 'Your wallet will ask for six digits. You receive them separately.',
  until: (moment) => `The offer ends on ${moment}.`,
  left: 'Time left:',
  notesHeading: 'Good to know',
  notes: [
    'Only one wallet can take the offer, and only once. Do not pass this page on.',
    'The credential does not contain your name. It is bound to a key in your wallet, so nobody else can use it.',
    'It is signed. Anyone to whom you show it can check that it is genuine and still in force.',
  ],
  taken: {
    title: 'The offer was taken',
    heading: 'A wallet has taken the offer.',
    paragraphs: [
      'If that was your wallet, you find the credential there. You can close this page.',
      'If it was not you, tell the sender of the link at once. They can revoke the credential.',
    ],
  },
  ended: {
    title: 'This offer does not work',
    heading: 'This offer does not work.',
    paragraphs: [
      'It may have ended, because an offer is valid for ten minutes only. It may also have been withdrawn, or part of the link is missing.',
      'Ask the sender for a new one.',
    ],
  },
};
