import { AggregatorRegistry } from 'prom-client';

/** A metric as prom-client gives it: `registry.getMetricsAsJSON()`. */
export interface MetricJson {
  readonly name: string;
  readonly type: string;
  readonly aggregator: string;
}

/** Adds up the metrics of several processes, by their numbers. */
export class SummedMetrics {
  readonly #latest = new Map<number, readonly MetricJson[]>();
  #past = Promise.resolve<readonly MetricJson[]>([]);

  note(process: number, metrics: readonly MetricJson[]): void {
    this.#latest.set(process, metrics);
  }

  /** Keeps its counts: Prometheus would take a sum that falls for a restart of everything. */
  ended(process: number): void {
    const last = this.#latest.get(process) ?? [];
    this.#latest.delete(process);
    const counts = last.filter(({ type }) => type === 'counter' || type === 'histogram');
    this.#past = this.#past.then(async (before) => {
      const sum = await sumOf([before, counts]).getMetricsAsJSON();
      return sum as unknown as MetricJson[];
    });
  }

  /** @param first the process whose values count where all processes see the same (queue depths). */
  async text(first: number): Promise<string> {
    const past = await this.#past;
    const others = [...this.#latest].filter(([process]) => process !== first);
    const all = [this.#latest.get(first) ?? [], ...others.map(([, metrics]) => metrics), past];
    return sumOf(all).metrics();
  }
}

/** Adds up the metrics of threads or processes. Of a value that all see the same, the first counts. */
export function sumOf(metrics: readonly (readonly MetricJson[])[]) {
  return AggregatorRegistry.aggregate([...metrics]);
}
