import { Counter, Gauge, Histogram, Registry, type LabelValues } from 'prom-client';

/** All metrics of this process. Each is declared where it is counted; docs/metrics.md lists them. */
export const METRICS = new Registry();
const PREFIX = 'claims_';
/** Seconds: from a look-up by key to the longest that callers wait for anything. */
const REQUEST_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds: from a short statement to the longest report. */
const WORK_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];

/**
 * What happened so far. Values of labels come from short lists that we know, never from callers: each is a series for good. Those that are
 * `known` begin at zero: from a series that begins at one, Prometheus does not see the first increase.
 */
export function counter<Label extends string = never>(
  name: string,
  about: string,
  labels: readonly Label[] = [],
  known: readonly LabelValues<Label>[] = [],
): Counter<Label> {
  const metric = new Counter({ name: PREFIX + name, help: about, labelNames: labels, registers: [METRICS] });
  for (const values of known) metric.inc(values, 0);
  return metric;
}

/** What is now. Set by what implements `Gauges`. Of several processes of one worker, `combined` says what counts. */
export function gauge<Label extends string = never>(
  name: string,
  about: string,
  labels: readonly Label[] = [],
  combined: 'sum' | 'max' = 'sum',
): Gauge<Label> {
  return new Gauge({ name: PREFIX + name, help: about, labelNames: labels, aggregator: combined, registers: [METRICS] });
}

export function duration<Label extends string = never>(
  name: string,
  about: string,
  of: 'requests' | 'work',
  labels: readonly Label[] = [],
): Histogram<Label> {
  const buckets = of === 'requests' ? REQUEST_SECONDS : WORK_SECONDS;
  return new Histogram({ name: PREFIX + name, help: about, labelNames: labels, buckets, registers: [METRICS] });
}
