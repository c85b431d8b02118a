import { catalogue } from '../../kit/texts.ts';

export const texts = catalogue({
  title: ['Team', 'Team'],
  lead: [
    'These people sign in with your organisation, each with a role. Programs sign in with keys.',
    'Diese Personen melden sich mit Ihrer Organisation an, jede mit einer Rolle. Programme nutzen Schlüssel.',
  ],
  noIssuer: [
    'Sign-in with your organisation is not set up in this installation yet. Its operator sets OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    'Die Anmeldung mit Ihrer Organisation ist in dieser Installation noch nicht eingerichtet. Ihr Betreiber setzt OIDC_ISSUER, OIDC_CLIENT_ID und OIDC_CLIENT_SECRET.',
  ],
  guide: ['How to set it up', 'So wird sie eingerichtet'],
  notAllowed: [
    'Your key may not read the team. It needs the scope admin:read and live mode.',
    'Ihr Schlüssel darf das Team nicht lesen. Er braucht das Recht admin:read und echte Daten.',
  ],
  empty: [
    'Nobody yet. Add the email address of a colleague: nothing is sent, and they sign in at this address.',
    'Noch niemand. Tragen Sie die E-Mail-Adresse einer Kollegin oder eines Kollegen ein: Es wird nichts verschickt, die Anmeldung ist unter dieser Adresse.',
  ],
  add: ['Add a person', 'Person hinzufügen'],
  email: ['Email address', 'E-Mail-Adresse'],
  emailHint: [
    'As your organisation knows it. Nothing is sent: tell them the address of this page.',
    'Wie Ihre Organisation sie kennt. Es wird nichts verschickt: Nennen Sie die Adresse dieser Seite.',
  ],
  role: ['Role', 'Rolle'],
  roles: {
    viewer: ['Viewer: reads everything', 'Lesen: sieht alles'],
    support: [
      'Support: also reports outcomes and asks for confirmations',
      'Support: meldet auch Ergebnisse und bittet um Bestätigungen',
    ],
    admin: ['Administrator: does everything', 'Verwaltung: darf alles'],
  },
  operatorsRoles: {
    viewer: ['Viewer: reads everything', 'Lesen: sieht alles'],
    support: ['Support: reads everything', 'Support: sieht alles'],
    admin: ['Administrator: does everything', 'Verwaltung: darf alles'],
  },
  added: [
    (email: string) => `${email} can sign in now`,
    (email: string) => `${email} kann sich jetzt anmelden`,
  ],
  change: ['Change the role', 'Rolle ändern'],
  changeOf: [(email: string) => `Change the role of ${email}`, (email: string) => `Rolle ändern: ${email}`],
  changeNote: [
    'Open sessions of this person end. They sign in again with the new role.',
    'Offene Sitzungen dieser Person enden. Sie meldet sich mit der neuen Rolle wieder an.',
  ],
  changed: ['Role changed', 'Rolle geändert'],
  remove: ['Remove', 'Entfernen'],
  removeOf: [(email: string) => `Remove ${email}`, (email: string) => `${email} entfernen`],
  removeNote: [
    (email: string) =>
      `${email} can no longer sign in, and open sessions end at once. What they did stays in the activity log. Keys that they made keep working: revoke those under “Keys”.`,
    (email: string) =>
      `${email} kann sich nicht mehr anmelden, offene Sitzungen enden sofort. Was die Person getan hat, bleibt im Protokoll. Schlüssel, die sie erstellt hat, gelten weiter: Sperren Sie diese unter „Schlüssel“.`,
  ],
  ownNote: ['This is you: your session ends.', 'Das sind Sie selbst: Ihre Sitzung endet.'],
  removed: [(email: string) => `${email} was removed`, (email: string) => `${email} wurde entfernt`],
  you: ['you', 'Sie'],
  lastSignIn: ['Last sign-in', 'Letzte Anmeldung'],
  never: ['never', 'nie'],
  since: ['Added', 'Hinzugefügt'],
  actions: ['Actions', 'Aktionen'],
});
