/** One end of the IPC channel between the parent and a process of the service. */
export interface Port {
  send(message: unknown): void;
  onMessage(take: (message: unknown) => void): void;
}

/** Questions and answers over a port. */
export interface Channel {
  /** Rejects if no answer arrives within `limitMs`. */
  ask<Answer>(topic: string, question: unknown, limitMs: number): Promise<Answer>;
  /** Sends something that has no answer. */
  tell(topic: string, message: unknown): void;
  /** Takes what the other end asks or tells under a topic. The result is the answer. */
  on<Question>(topic: string, take: (question: Question) => unknown): void;
}

/** Counts the messages that wait to be sent: the other end may be stuck. */
export interface Unsent {
  /** Returns what to call when the message was sent or failed. */
  add(): () => void;
  isFull(): boolean;
}

/** Messages with facts have some kilobytes. */
const MAX_UNSENT = 200;

export function createUnsent(): Unsent {
  let count = 0;
  const done = () => {
    count -= 1;
  };
  return {
    add() {
      count += 1;
      return done;
    },
    isFull: () => count >= MAX_UNSENT,
  };
}

type Message =
  | { readonly id: number; readonly topic: string; readonly question: unknown }
  | { readonly id: number; readonly answer: unknown };

/** The id of what needs no answer. */
const NO_ANSWER = 0;

export function createChannel(port: Port): Channel {
  const takers = new Map<string, (question: never) => unknown>();
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = NO_ANSWER;
  const send = (message: Message) => port.send(message);
  port.onMessage((received) => {
    const message = received as Message;
    if ('answer' in message) return waiting.get(message.id)?.(message.answer);
    void answer(message.id, takers.get(message.topic)?.(message.question as never));
  });
  return {
    ask<Answer>(topic: string, question: unknown, limitMs: number) {
      lastId += 1;
      const id = lastId;
      return new Promise<Answer>((resolve, reject) => {
        const limit = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`no answer about ${topic} within ${limitMs} ms`));
        }, limitMs);
        waiting.set(id, (answer) => {
          clearTimeout(limit);
          waiting.delete(id);
          resolve(answer as Answer);
        });
        send({ id, topic, question });
      });
    },
    tell: (topic, message) => send({ id: NO_ANSWER, topic, question: message }),
    on(topic, take) {
      takers.set(topic, take);
    },
  };

  async function answer(id: number, result: unknown): Promise<void> {
    if (id !== NO_ANSWER) send({ id, answer: await result });
  }
}
