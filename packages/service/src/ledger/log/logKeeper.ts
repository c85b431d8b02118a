import { deserialize, serialize } from 'node:v8';
import { stringifyExact } from '../../domain/exactInteger.js';
import type { EventFactRow, SnapshotFactRow } from './facts.js';

/** Facts of one or more subjects. */
export interface FactRows {
  readonly events: readonly EventFactRow[];
  readonly snapshots: readonly SnapshotFactRow[];
}

/**
 * Of several processes of one start, the first keeps the log, and the others hand their facts over to
 * it. If they took turns, each would read back what the others wrote, and the cursors of all subjects.
 */
export interface LogKeeper {
  /** True while another process keeps the log. */
  isOther(): boolean;
  /** Tells that process what this one has committed. It may be lost: then it is read. */
  handOver(rows: FactRows): void;
  /** Tells it that somebody waits for a receipt. */
  wake(): void;
  /** For the process that keeps the log. */
  serve(to: { take(rows: FactRows): void; wake(): void }): void;
}

/** How the processes of one start reach the first of them. */
interface ToFirst {
  state(): { readonly number: number; readonly first: number };
  sendToFirst(topic: string, message: unknown): void;
  onReceived<Message>(topic: string, take: (message: Message) => void): void;
}

/** Facts of so long share a message. It costs two processes more than the facts in it. */
const SHARED_MS = 50;

/** @param group the ledger group of the log. */
export function createLogKeeper(parent: ToFirst, group: number): LogKeeper {
  const facts = `facts of group ${group}`;
  const waiting = `receipts of group ${group}`;
  let gathered: FactRows[] = [];
  return {
    isOther() {
      const { number, first } = parent.state();
      return first !== number;
    },
    handOver(rows) {
      if (gathered.length === 0) setTimeout(send, SHARED_MS).unref();
      gathered.push(rows);
    },
    wake: () => parent.sendToFirst(waiting, null),
    serve({ take, wake }) {
      parent.onReceived<Uint8Array>(facts, (bytes) => take(deserialize(bytes)));
      parent.onReceived(waiting, wake);
    },
  };

  function send(): void {
    parent.sendToFirst(facts, packed(gathered));
    gathered = [];
  }
}

/** As bytes, which the parent passes on without looking into them. */
function packed(gathered: readonly FactRows[]): Buffer {
  return serialize({
    // Exact integers would lose their class.
    events: gathered.flatMap(({ events }) =>
      events.map((row) => ({ ...row, metadata: storedJson(row.metadata) })),
    ),
    snapshots: gathered.flatMap(({ snapshots }) => snapshots),
  } satisfies FactRows);
}

function storedJson(metadata: EventFactRow['metadata']): string | null {
  return metadata === null || typeof metadata === 'string' ? metadata : stringifyExact(metadata);
}
