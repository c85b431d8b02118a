import { catalogue } from './kit/texts.ts';

export const signInTexts = catalogue({
  title: ['Sign in', 'Anmelden'],
  lead: [
    'Paste an API key of your platform, or the admin secret of this installation.',
    'Fügen Sie einen API-Schlüssel Ihrer Plattform ein oder das Betreiber-Geheimnis dieser Installation.',
  ],
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
