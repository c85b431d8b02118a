/** What the processes of one start know of each other. */
export interface ProcessState {
  /** PROCESSES. */
  readonly configured: number;
  readonly running: number;
  /** Processes that ended unexpectedly since the start. */
  readonly restarts: number;
}

interface Message {
  readonly topic: string;
  /** 0: needs no answer. */
  readonly id: number;
  readonly body: unknown;
}

const ANSWER = 'answer';
/** Messages that the other end has not taken. It may be stuck: further ones are dropped. */
const MAX_UNSENT = 200;

/** One end of the IPC channel between the supervisor and a process. */
export class Channel {
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastId = 0;
  #unsent = 0;

  /** @param takers what to do with messages, by topic. The result is the answer. */
  constructor(
    readonly post: (message: Message, done: () => void) => void,
    readonly takers: Readonly<Record<string, (body: never) => unknown>>,
  ) {}

  send(topic: string, body: unknown = null, id = 0): void {
    if (this.#unsent >= MAX_UNSENT) return;
    this.#unsent += 1;
    this.post({ topic, id, body }, () => {
      this.#unsent -= 1;
    });
  }

  /** Undefined: no answer within `limitMs`. */
  ask<Answer>(topic: string, body: unknown, limitMs: number): Promise<Answer | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const limit = setTimeout(() => done(undefined), limitMs);
      const done = (answer: unknown) => {
        clearTimeout(limit);
        this.#waiting.delete(id);
        resolve(answer as Answer | undefined);
      };
      this.#waiting.set(id, done);
      this.send(topic, body, id);
    });
  }

  async take({ topic, id, body }: Message): Promise<void> {
    if (topic === ANSWER) return this.#waiting.get(id)?.(body);
    const answer = await this.takers[topic]?.(body as never);
    if (id > 0) this.send(ANSWER, answer, id);
  }
}
