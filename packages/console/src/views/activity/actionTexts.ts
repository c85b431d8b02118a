import { catalogue } from '../../kit/texts.ts';

/** What happened, by the actions of `GET /activity`. */
const actionTexts = catalogue({
  EVENT_CREATED: ['Outcome recorded', 'Ergebnis aufgezeichnet'],
  VELOCITY_FLAG_SET: ['Score frozen', 'Wert eingefroren'],
  VELOCITY_FLAG_CLEARED: ['Score released', 'Wert freigegeben'],
  PLATFORM_CREATED: ['Platform created', 'Plattform angelegt'],
  PLATFORM_UPDATED: ['Platform changed', 'Plattform geändert'],
  API_KEY_GENERATED: ['Key created', 'Schlüssel erstellt'],
  API_KEY_ROTATED: ['Key rotated', 'Schlüssel ersetzt'],
  API_KEY_REVOKED: ['Key revoked', 'Schlüssel gesperrt'],
  API_KEY_SCOPES_UPDATED: ['Scopes of a key changed', 'Rechte eines Schlüssels geändert'],
  SHARE_TOKEN_MINTED: ['Share link created', 'Link zum Teilen erstellt'],
  SHARE_TOKEN_REVOKED: ['Share link withdrawn', 'Link zum Teilen zurückgezogen'],
  RECORD_LINK_CREATED: ['Record link created', 'Link zur eigenen Akte erstellt'],
  RECORD_LINK_WITHDRAWN: ['Record link withdrawn', 'Link zur eigenen Akte zurückgezogen'],
  CREDENTIAL_OFFER_CREATED: ['Credential offered', 'Nachweis angeboten'],
  WEBHOOK_CREATED: ['Webhook added', 'Webhook hinzugefügt'],
  WEBHOOK_UPDATED: ['Webhook changed', 'Webhook geändert'],
  WEBHOOK_DELETED: ['Webhook deleted', 'Webhook gelöscht'],
  WEBHOOK_DISABLED: ['Webhook disabled by the service', 'Webhook vom Dienst abgeschaltet'],
  MONITOR_CREATED: ['Monitor added', 'Beobachtung hinzugefügt'],
  MONITOR_UPDATED: ['Monitor changed', 'Beobachtung geändert'],
  MONITOR_DELETED: ['Monitor deleted', 'Beobachtung gelöscht'],
  POLICY_CREATED: ['Policy added', 'Regel hinzugefügt'],
  POLICY_UPDATED: ['Policy changed', 'Regel geändert'],
  POLICY_DELETED: ['Policy deleted', 'Regel gelöscht'],
  NOTIFICATION_CHANNEL_CREATED: ['Notification channel added', 'Meldeweg hinzugefügt'],
  NOTIFICATION_CHANNEL_DELETED: ['Notification channel deleted', 'Meldeweg gelöscht'],
  CONFIRMATION_REQUEST_CREATED: ['Confirmation requested', 'Um Bestätigung gebeten'],
  CONFIRMATION_REQUEST_CONFIRMED: ['Request confirmed', 'Anfrage bestätigt'],
  CONFIRMATION_REQUEST_DECLINED: ['Request declined', 'Anfrage verneint'],
  CONFIRMATION_REQUEST_CANCELLED: ['Request withdrawn', 'Anfrage zurückgezogen'],
  SUBJECT_DECLARED: ['Agent or business declared', 'Agent oder Betrieb erklärt'],
  DECLARATION_CHANGED: ['Declaration changed', 'Erklärung geändert'],
  SUBJECT_NAMED: ['Display name changed', 'Anzeigename geändert'],
  SUBJECT_LINKED: ['Records joined', 'Einträge verbunden'],
  SUBJECT_UNLINKED: ['Record taken out of a joined one', 'Eintrag aus der Verbindung genommen'],
  SUBJECT_ERASED: ['Subject erased', 'Person gelöscht'],
  TEST_DATA_RESET: ['Test data deleted', 'Testdaten gelöscht'],
  TEST_DATA_SEEDED: ['Sample data loaded', 'Beispieldaten geladen'],
  CONSOLE_SIGNED_IN: ['Signed in to the console', 'In der Konsole angemeldet'],
  CONSOLE_SIGNED_OUT: ['Signed out of the console', 'Von der Konsole abgemeldet'],
  CONSOLE_USER_ADDED: ['Person let in', 'Zugang gegeben'],
  CONSOLE_USER_CHANGED: ['Role changed', 'Rolle geändert'],
  CONSOLE_USER_REMOVED: ['Person removed', 'Zugang entzogen'],
  CONSOLE_VIEWED_AS_PLATFORM: ['Viewed by the operator', 'Vom Betreiber angesehen'],
});

/** The action itself, if the service knows more of them than this table. */
export function actionText(action: string): string {
  return (actionTexts as Readonly<Record<string, string>>)[action] ?? action;
}
