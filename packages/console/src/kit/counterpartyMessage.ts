import type { Language } from './texts.ts';

interface Asked {
  /** As the counterparty is addressed; null: without a name. */
  name: string | null;
  platform: string;
  description: string;
  url: string;
  expiresAt: string;
}

/** The text to send to a counterparty, in a language of the page that the link opens. */
export function counterpartyMessage(language: Language, asked: Asked): string {
  const { name, platform, description, url, expiresAt } = asked;
  const day = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(expiresAt));
  const link = `${url}&lang=${language}`;
  if (language === 'de')
    return `Guten Tag${name ? ` ${name}` : ''},\n\n${platform} bittet Sie um eine Bestätigung: „${description}“\n\nStimmt das? Antworten Sie bitte bis ${day} hier, ein Klick genügt:\n${link}\n\nSie brauchen kein Konto. Ohne Antwort wird nichts eingetragen.`;
  return `Hello${name ? ` ${name}` : ''},\n\n${platform} asks you to confirm: “${description}”\n\nIs this right? Please answer by ${day} here, one click is enough:\n${link}\n\nYou do not need an account. Without an answer, nothing is recorded.`;
}
