import { catalogue } from './kit/texts.ts';

export const signInTexts = catalogue({
  title: ['Sign in', 'Anmelden'],
  lead: [
    'Paste an API key of your platform, or the admin secret of this installation.',
    'Fügen Sie einen API-Schlüssel Ihrer Plattform ein oder das Betreiber-Geheimnis dieser Installation.',
  ],
  withIssuer: ['Sign in with your organisation', 'Mit Ihrer Organisation anmelden'],
  issuerNote: [
    (host: string) => `Leads to ${host}, and back here.`,
    (host: string) => `Führt zu ${host} und wieder hierher.`,
  ],
  or: ['or', 'oder'],
  failures: {
    unavailable: [
      'Your organisation’s sign-in does not answer. Try again in a moment, or sign in with a key.',
      'Die Anmeldung Ihrer Organisation antwortet nicht. Versuchen Sie es gleich noch einmal, oder melden Sie sich mit einem Schlüssel an.',
    ],
    refused: [
      'Your organisation’s sign-in did not work. Try again. If it fails again, ask the operator of this service: its log says why.',
      'Die Anmeldung bei Ihrer Organisation ist fehlgeschlagen. Versuchen Sie es noch einmal. Wenn es wieder nicht klappt, fragen Sie den Betreiber dieses Dienstes: Sein Protokoll nennt den Grund.',
    ],
    cancelled: ['You cancelled the sign-in.', 'Sie haben die Anmeldung abgebrochen.'],
    unverified: [
      'Your organisation does not say that your email address is verified. Verify it there, then sign in again.',
      'Ihre Organisation bestätigt Ihre E-Mail-Adresse nicht. Lassen Sie sie dort bestätigen, und melden Sie sich dann wieder an.',
    ],
    unknown: [
      'Nobody has let you in here yet. Ask an administrator of your platform to add your email address under “Team”.',
      'Hier sind Sie noch nicht eingetragen. Bitten Sie jemanden, der Ihre Plattform verwaltet, Ihre E-Mail-Adresse unter „Team“ einzutragen.',
    ],
    moved: [
      'This is the address of the console. Sign in here.',
      'Dies ist die Adresse der Konsole. Melden Sie sich hier an.',
    ],
    expired: [
      'This sign-in is no longer valid: it took more than ten minutes, or began in another browser or tab. Sign in again.',
      'Diese Anmeldung gilt nicht mehr: Sie hat länger als zehn Minuten gedauert oder in einem anderen Browser oder Tab begonnen. Melden Sie sich noch einmal an.',
    ],
  },
  choose: ['Where do you want to work?', 'Wo möchten Sie arbeiten?'],
  chooseNote: [
    (email: string) => `You are signed in as ${email}. You can change this later in the menu.`,
    (email: string) => `Sie sind als ${email} angemeldet. Im Menü können Sie das später ändern.`,
  ],
  operator: ['The operator of this service', 'Betrieb dieses Dienstes'],
  label: ['Key or admin secret', 'Schlüssel oder Betreiber-Geheimnis'],
  button: ['Sign in', 'Anmelden'],
  busy: ['Signing in', 'Wird angemeldet'],
  note: [
    'The session can do what the key can, and ends 30 minutes after you last used it, or after 12 hours.',
    'Die Sitzung kann, was der Schlüssel kann. Sie endet 30 Minuten nach der letzten Nutzung oder nach 12 Stunden.',
  ],
  ended: [
    'Your session has ended. Sign in again: you come back to where you were.',
    'Ihre Sitzung ist beendet. Melden Sie sich wieder an: Sie kommen dorthin zurück, wo Sie waren.',
  ],
  link: [
    'The sign-in link did not work. It works once, for ten minutes. Paste a key instead.',
    'Der Anmelde-Link hat nicht funktioniert. Er gilt einmal und zehn Minuten lang. Fügen Sie einen Schlüssel ein.',
  ],
  noCookie: [
    'The browser did not keep the session. Open the console at the address in BASE_URL: over https the cookie needs https.',
    'Der Browser hat die Sitzung nicht behalten. Öffnen Sie die Konsole unter der Adresse in BASE_URL: Bei https braucht das Cookie https.',
  ],
  docs: ['API reference', 'Beschreibung der API'],
  refused: [
    'This key or secret is not accepted.',
    'Dieser Schlüssel oder dieses Geheimnis wird nicht angenommen.',
  ],
  tooMany: [
    'Too many attempts from this network. Wait a minute.',
    'Zu viele Versuche aus diesem Netz. Warten Sie eine Minute.',
  ],
});
