import { AggregatorRegistry } from 'prom-client';
import type { MetricJson } from './topics.js';

/** Adds up the metrics of several processes. */
export interface SummedMetrics {
  /** Notes the latest metrics of a process. */
  note(process: number, metrics: readonly MetricJson[]): void;
  /**
   * Keeps the counts of a process that ended. Without them a sum would fall, and Prometheus would
   * take that for a restart of everything.
   */
  ended(process: number): void;
  /** @param first the process whose values count where all processes see the same (queue depths). */
  text(first: number): Promise<string>;
}

export function createSummedMetrics(): SummedMetrics {
  const latest = new Map<number, readonly MetricJson[]>();
  let past = Promise.resolve<readonly MetricJson[]>([]);
  return {
    note(process, metrics) {
      latest.set(process, metrics);
    },
    ended(process) {
      const last = latest.get(process) ?? [];
      latest.delete(process);
      const counts = last.filter(({ type }) => type === 'counter' || type === 'histogram');
      past = past.then(async (before) => {
        const sum = await sumOf([before, counts]).getMetricsAsJSON();
        return sum as unknown as MetricJson[];
      });
    },
    async text(first) {
      const ended = await past;
      const others = [...latest].filter(([process]) => process !== first);
      return sumOf([latest.get(first) ?? [], ...others.map(([, metrics]) => metrics), ended]).metrics();
    },
  };
}

/** Adds up the metrics of threads or processes. Of a value that all see the same, the first counts. */
export function sumOf(metrics: readonly (readonly MetricJson[])[]) {
  return AggregatorRegistry.aggregate([...metrics]);
}
