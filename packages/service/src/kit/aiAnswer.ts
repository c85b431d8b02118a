import { z } from 'zod';
import type { OutboundAnswer } from './outboundFetch.js';

/** Why an answer gave no text: a short word for the log, without any of the content. */
export class AiFailure extends Error {
  readonly kind: string;

  constructor(kind: string) {
    super(kind);
    this.name = 'AiFailure';
    this.kind = kind;
  }
}

/** The text of a chat completion, made plain. Throws AiFailure if there is none. */
export function textOf({ status, headers, text }: OutboundAnswer): string {
  // A redirect is a failure too: the key is meant for the configured address only.
  if (status < 200 || status > 299) throw new AiFailure(`status ${status}`);
  if (headers['content-type']?.startsWith('text/event-stream')) throw new AiFailure('streamed');
  const completion = Completion.safeParse(parsed(text));
  if (!completion.success) throw new AiFailure('unreadable');
  const plain = plainTextOf(completion.data.choices[0].message.content);
  if (plain === '') throw new AiFailure('empty');
  return plain;
}

const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The text without control and invisible characters (which can reorder or hide text) and without
 * markup characters, cut to 2000 characters.
 */
export function plainTextOf(raw: string): string {
  const plain = raw
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[<>*`]/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  // Drops half of a surrogate pair at the cut.
  return plain
    .slice(0, MAX_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

const MAX_CHARACTERS = 2000;
