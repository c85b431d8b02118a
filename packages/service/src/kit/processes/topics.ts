/** What the parent and the processes of the service ask and tell each other. */

/** A process tells that it listens, or waits for the database. */
export const STARTED = 'started';

/** The parent tells how many processes there are (ProcessState). */
export const STATE = 'state';

/** A process asks to count requests: bucket names. The answer: TakenPair for each of them. */
export const TAKE = 'take';

/** Count and milliseconds before the reset. */
export type TakenPair = readonly [number, number];

/** The parent asks a process for its metrics. */
export const METRICS = 'metrics';

/** A process asks for the metrics of all, with its own. The answer is Prometheus text. */
export const METRICS_OF_ALL = 'metrics of all';

/** A metric as prom-client gives it: `registry.getMetricsAsJSON()`. */
export interface MetricJson {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
}

export interface ProcessState {
  /** PROCESSES. */
  readonly configured: number;
  readonly running: number;
  /** Processes that ended unexpectedly since the start. */
  readonly restarts: number;
}

export const ONE_PROCESS: ProcessState = { configured: 1, running: 1, restarts: 0 };
