import type { CheckTexts } from './checkTexts.js';

export const checkEn: CheckTexts = {
  title: 'Check a credential or a proof',
  kind: 'Check',
  heading: 'Is it genuine?',
  lead: 'Did someone send you a credential, a receipt or the proof of a score? Check here whether it is genuine and still in force.',
  privacy:
    'Your browser checks it. Nothing that you enter leaves your device; only public keys, status lists and the public log are loaded.',
  withoutScript: [
    'This page checks with a script, so that nothing that you enter leaves your device. Your browser does not run it.',
    'Without a script, check a receipt or a proof with the command “reliability verify” of the command line. The operator of this service has it. Check a credential with any program that reads W3C Verifiable Credentials as JWT: the keys are in /.well-known/did.json, and the credential names its status list.',
  ],
  textLabel: 'Paste the text',
  fileLabel: 'Or choose a file',
  dropHint: 'You can also drop a file anywhere on this page.',
  button: 'Check',
  whatHeading: 'What can be checked',
  what: [
    ['Credential', 'a long text of letters with two dots. It says what a person or business has achieved.'],
    ['Receipt', 'a file that shows that an event is in the public log.'],
    [
      'Proof of a score',
      'a file with all events that a score counts. The score is calculated again from them.',
    ],
  ],
};
