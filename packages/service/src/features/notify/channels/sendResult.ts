export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** For the owner of the channel, without secrets, addresses and internals of the service. */
      readonly reason: string;
      /** For the operator's log. */
      readonly code: string;
    };

/** Time limit of one message, including the connection. */
export const SEND_TIMEOUT_MS = 10_000;

const MAX_QUOTE = 200;

/** The answer of a receiver for display: one short line without secrets and addresses. */
export function quoted(answer: string, secrets: readonly string[]): string {
  const line = answer.replace(/[\s\p{C}]+/gu, ' ').trim();
  // Secrets are removed before the text is cut, since half a secret would not be found.
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line).replace(EMAIL, '…');
  return safe.length <= MAX_QUOTE ? safe : `${safe.slice(0, MAX_QUOTE)}…`;
}

const EMAIL = /(?<![^\s<>"'(),:;@])[^\s<>"'(),:;@]+@[^\s<>"'(),:;@]+/g;
