/** What the parent and the processes of the service ask and tell each other. */

/** A process tells that it listens, or waits for the database. */
export const STARTED = 'started';

/** The parent tells how many processes there are (ProcessState). */
export const STATE = 'state';

/** A process asks to count requests: Asked for each. The answer: Granted for each of them. */
export const TAKE = 'take';

export interface Asked {
  readonly bucket: string;
  readonly limit: number;
  /** Requests that the process would like to count by itself after this one. */
  readonly wanted: number;
}

export interface Granted {
  /** Requests in the window, including this one. */
  readonly count: number;
  readonly msBeforeReset: number;
  /** The lease: the process may count so many of the following numbers by itself. */
  readonly leased: number;
  /** Names the window of the bucket. */
  readonly window: number;
}

/** The parent asks for the unused rest of a lease (Recalled). The answer is their number. */
export const RECALL = 'recall';

export interface Recalled {
  readonly bucket: string;
  readonly window: number;
}

/** The parent asks a process for its metrics. */
export const METRICS = 'metrics';

/** A process asks for the metrics of all, with its own. The answer is Prometheus text. */
export const METRICS_OF_ALL = 'metrics of all';

/** A process tells the first one something (Passed), and the parent passes it on. */
export const PASS_ON = 'pass on';

export interface Passed {
  readonly topic: string;
  readonly message: unknown;
}

/** A metric as prom-client gives it: `registry.getMetricsAsJSON()`. */
export interface MetricJson {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
}

export interface ProcessState {
  /** The number of the process that receives it, from 1 to `configured`. */
  readonly number: number;
  /** PROCESSES. */
  readonly configured: number;
  readonly running: number;
  /** The lowest number of those that run: it does what only one of them should do. */
  readonly first: number;
  /** Processes that ended unexpectedly since the start. */
  readonly restarts: number;
}

export const ONE_PROCESS: ProcessState = { number: 1, configured: 1, running: 1, first: 1, restarts: 0 };
