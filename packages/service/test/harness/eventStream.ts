import { get, type IncomingMessage } from 'node:http';

/** An event as a browser's EventSource dispatches it. */
export interface StreamedEvent {
  type: string;
  data: string;
  lastEventId: string;
}

/** Parses a stream according to WHATWG HTML 9.2.6. */
export class EventStreamParser {
  readonly events: StreamedEvent[] = [];
  readonly comments: string[] = [];
  retryMs: number | null = null;
  /** The value that a client would send as Last-Event-ID. */
  lastEventId = '';
  #id = '';
  #type = '';
  #data: string[] = [];
  #rest = '';

  push(text: string): void {
    // A CR at the end may be half of a CRLF, so it waits for what follows.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith(':')) this.comments.push(line.slice(1));
    else this.#field(line);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch(): void {
    this.lastEventId = this.#id;
    if (this.#data.length > 0) {
      const event = { type: this.#type || 'message', data: this.#data.join('\n'), lastEventId: this.#id };
      this.events.push(event);
    }
    this.#type = '';
    this.#data = [];
  }
}

/** An open stream. */
export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The body of a refusal. */
  readonly text: string;
  readonly parsed: EventStreamParser;
  /** The response ended, cleanly or not. */
  readonly isOver: boolean;
  readonly wasCutOff: boolean;
  /** Pauses or resumes reading from the connection. */
  pause(): void;
  resume(): void;
  /** Closes the connection. */
  close(): void;
}

interface StreamOptions {
  key: string;
  lastEventId?: string;
  types?: string;
  backfill?: string;
}

/** Opens a live stream. Resolves at its head and first bytes, or with the refusal. */
export function openEventStream(
  url: string,
  { key, lastEventId, ...query }: StreamOptions,
): Promise<StreamClient> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
  };
  return new Promise((resolve, reject) => {
    const request = get(
      `${url}/api/v1/events/stream?${new URLSearchParams(query)}`,
      { agent: false, headers },
      (answer) => {
        const parsed = new EventStreamParser();
        const client = {
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: '',
          parsed,
          isOver: false,
          wasCutOff: false,
          pause: () => void answer.pause(),
          resume: () => void answer.resume(),
          close: () => request.destroy(),
        };
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          if (client.status !== 200) client.text += text;
          parsed.push(text);
          if (client.status === 200) resolve(client);
        });
        answer.on('error', () => {
          client.wasCutOff = true;
        });
        answer.on('close', () => {
          client.isOver = true;
          resolve(client);
        });
      },
    );
    request.on('error', reject);
  });
}
