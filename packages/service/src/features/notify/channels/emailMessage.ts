import { derivedUuid } from '../../../kit/crypto.js';
import type { Digest } from './digest.js';
import type { Mail } from './mailer.js';

/** A digest as a plain-text mail: the sentences, the envelopes, and how to unsubscribe. */
export function emailMessage(digest: Digest, { channelId, to, envelopeIds, baseUrl }: EmailTerms): Mail {
  const { title, sentences, bodies, leftOut } = digest;
  const lines = sentences.length > 1 ? sentences.map((sentence) => `- ${sentence}`) : sentences;
  return {
    to,
    subject: subjectOf(title),
    text: [
      [...lines, ...(leftOut === null ? [] : [leftOut])].join('\n'),
      ...bodies.map(readable),
      `A notification channel of a platform at ${baseUrl} sent this mail. To stop it, delete the channel:\n` +
        `DELETE ${baseUrl}/api/v1/notification-channels/${channelId}\n`,
    ].join('\n\n'),
    messageName: `${nameOf(envelopeIds)}.${channelId}`,
  };
}

interface EmailTerms {
  channelId: string;
  to: string;
  /** The envelopes of the message, including those that it leaves out. */
  envelopeIds: readonly string[];
  baseUrl: string;
}

const MAX_SUBJECT_LENGTH = 150;

function subjectOf(title: string): string {
  const characters = [...title];
  if (characters.length <= MAX_SUBJECT_LENGTH) return title;
  return `${characters.slice(0, MAX_SUBJECT_LENGTH).join('')}…`;
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Mailboxes drop a second message with the same name, so each set of envelopes has its own. */
function nameOf(envelopeIds: readonly string[]): string {
  const [first = 'none', ...others] = envelopeIds;
  return others.length === 0 ? first : derivedUuid('digest', ...envelopeIds);
}
