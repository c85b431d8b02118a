import { OutboundError, type OutboundFetch } from '../../../kit/outboundFetch.js';
import type { Digest } from './digest.js';
import { quoted, SEND_TIMEOUT_MS, type SendResult } from './sendResult.js';

/** Posts a digest to an incoming webhook of Slack. Never throws. */
export async function sendToSlack(
  outbound: Pick<OutboundFetch, 'post'>,
  url: string,
  digest: Digest,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { status, text } = await outbound.post({
      url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ text: slackText(digest), ...PLAIN }),
      timeoutMs: SEND_TIMEOUT_MS,
      keepBytes: 1024,
      signal,
    });
    if (status >= 200 && status < 300) return { isSent: true };
    const said = quoted(text, secretsOf(url));
    return {
      isSent: false,
      reason: `Slack answered ${status}${said === '' ? '' : `: ${said}`}`,
      code: `http_${status}`,
    };
  } catch (error) {
    if (error instanceof OutboundError) return { isSent: false, reason: error.message, code: error.reason };
    return { isSent: false, reason: 'The message could not be sent to Slack.', code: 'unexpected' };
  }
}

/** Names and texts of platforms are shown as they are: no markup, no links made of them, no previews. */
const PLAIN = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** Slack cuts off what is longer than 40 000 characters. */
const MAX_TEXT_LENGTH = 38_000;

/** The text of a message, as Slack wants it escaped. */
export function slackText({ title, sentences, leftOut }: Digest): string {
  if (sentences.length === 1 && leftOut === null) return escaped(title);
  const lines = [escaped(title)];
  let length = 0;
  for (const [emitted, sentence] of sentences.entries()) {
    const line = `• ${escaped(sentence)}`;
    length += line.length + 1;
    if (length > MAX_TEXT_LENGTH) {
      lines.push(`…and ${sentences.length - emitted} more`);
      break;
    }
    lines.push(line);
  }
  return (leftOut === null ? lines : [...lines, escaped(leftOut)]).join('\n');
}

/** So that nothing in a text becomes a link or calls a whole channel: `<!channel>`. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Parts of the address that an answer could repeat. */
function secretsOf(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [url, ...`${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= 8)];
}
