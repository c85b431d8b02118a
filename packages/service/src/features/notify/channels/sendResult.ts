/** How a message fared. */
export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** In words for the owner of the channel: no secret, no address, nothing of the service's insides. */
      readonly reason: string;
      /** For the operator's log. */
      readonly code: string;
    };

/** A message gets so long for everything: connecting, speaking, waiting. */
export const SEND_TIMEOUT_MS = 10_000;

const MAX_QUOTE = 200;

/** What a receiver answered, fit to be shown: one line, short, and without what stands for the target. */
export function quoted(answer: string, secrets: readonly string[]): string {
  const line = answer.replace(/[\s\p{C}]+/gu, ' ').trim();
  // Before it is cut: half a secret would not be found any more.
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line).replace(EMAIL, '…');
  return safe.length <= MAX_QUOTE ? safe : `${safe.slice(0, MAX_QUOTE)}…`;
}

const EMAIL = /[^\s<>"'(),:;@]{1,64}@[^\s<>"'(),:;@]+/g;
