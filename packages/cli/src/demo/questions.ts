import { DAY_MS, HOUR_MS } from '../../../service/src/domain/timestamp.js';
import type { Random } from '../../../service/src/kit/seededRandom.js';
import type { Answers } from './data.js';
import type { SteppedService } from './steppedService.js';

/** A question to a counterparty, and how it will be answered. */
export interface Question {
  kind: 'confirm' | 'reference';
  id: string;
  token: string;
  /** Who is asked. */
  by: string;
  at: Date;
  decision: 'confirm' | 'decline';
}

/** One answer or none. */
export function answersOf(
  answers: Answers,
  askedAt: Date,
  random: Random,
): Pick<Question, 'at' | 'decision'>[] {
  const chance = random.fraction();
  const at = new Date(askedAt.getTime() + random.whole(1, 4) * DAY_MS + random.whole(-10, 0) * HOUR_MS);
  if (answers !== 'most') return [{ at, decision: answers }];
  if (chance < 0.85) return [{ at, decision: 'confirm' }];
  return chance < 0.92 ? [{ at, decision: 'decline' }] : [];
}

const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
] as const;

/** Sends the form of the hosted page as the counterparty's own browser does, from a network of its own. */
export async function answerPage({ address }: SteppedService, question: Question): Promise<void> {
  const { kind, id, token, by, decision } = question;
  const number = [...by].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const answer = await fetch(`${address}/${kind}/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ token, decision }),
    headers: {
      'user-agent': BROWSERS[number % BROWSERS.length] ?? '',
      // Networks for tests (RFC 2544). The service that lives through the year trusts one proxy.
      'x-forwarded-for': `198.${18 + (number % 2)}.${(number >> 1) % 256}.7`,
    },
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the page ${kind}/${id} answered ${answer.status}`);
}
