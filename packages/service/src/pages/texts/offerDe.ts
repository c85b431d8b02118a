import type { OfferTexts } from './offerTexts.js';

export const offerDe: OfferTexts = {
  title: 'Einen Nachweis in die Wallet laden',
  kind: 'Angebot eines Nachweises',
  heading: (credential) => `„${credential}“ in Ihre Wallet laden`,
  lead: (platform) => `${platform} bietet Ihnen diesen Nachweis an.`,
  wallet:
    'Eine Wallet ist eine App, die Nachweise auf Ihrem Gerät aufbewahrt und vorzeigt, wenn Sie es möchten.',
  credentials: {
    ServiceProfessionalRecordCredential: [
      'Beruflicher Nachweis',
      'Darin steht, wie viele Abmachungen eingehalten und gebrochen wurden und wie viel davon bestätigt ist.',
    ],
    ServiceEarningsCredential: [
      'Verdienstnachweis',
      'Darin steht Monat für Monat, welchen Wert bestätigte Arbeit hatte.',
    ],
    ServiceDeliveryReceiptCredential: ['Lieferbelege', 'Darin steht, was geliefert und bestätigt wurde.'],
    ServiceAgentDeliveryCredential: [
      'Lieferungen eines Agenten',
      'Darin steht, was ein Software-Agent geliefert hat und was davon bestätigt ist.',
    ],
    ServiceBusinessRecordCredential: [
      'Firmennachweis',
      'Darin steht, wie eine Firma ihre Abmachungen eingehalten hat.',
    ],
  },
  scan: 'Scannen Sie diesen Code mit Ihrer Wallet-App.',
  qrLabel: 'QR-Code, der das Angebot in einer Wallet-App öffnet',
  open: 'In einer Wallet auf diesem Gerät öffnen',
  openNote: 'Wenn nichts passiert, gibt es auf diesem Gerät keine Wallet-App.',
  txCode: 'Ihre Wallet wird nach sechs Ziffern fragen. Sie bekommen sie getrennt von diesem Link.',
  until: (moment) => `Das Angebot endet am ${moment}.`,
  left: 'Verbleibende Zeit:',
  notesHeading: 'Gut zu wissen',
  notes: [
    'Nur eine einzige Wallet kann das Angebot annehmen, und nur einmal. Geben Sie diese Seite nicht weiter.',
    'Ihr Name steht nicht im Nachweis. Er ist an einen Schlüssel in Ihrer Wallet gebunden. Deshalb kann ihn niemand sonst verwenden.',
    'Er ist signiert. Wem Sie ihn zeigen, der kann prüfen, ob er echt ist und noch gilt.',
  ],
  taken: {
    title: 'Das Angebot wurde angenommen',
    heading: 'Eine Wallet hat das Angebot angenommen.',
    paragraphs: [
      'Wenn das Ihre Wallet war, finden Sie den Nachweis dort. Sie können diese Seite schließen.',
      'Wenn Sie das nicht waren, sagen Sie dem Absender des Links sofort Bescheid. Er kann den Nachweis widerrufen.',
    ],
  },
  ended: {
    title: 'Dieses Angebot gilt nicht',
    heading: 'Dieses Angebot gilt nicht.',
    paragraphs: [
      'Vielleicht ist es abgelaufen, denn ein Angebot gilt nur zehn Minuten. Vielleicht wurde es zurückgezogen, oder ein Teil des Links fehlt.',
      'Bitten Sie den Absender um ein neues.',
    ],
  },
};
