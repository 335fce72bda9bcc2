import { randomUUID } from 'node:crypto';
import type { Log } from '../../kernel/log.js';
import { resource } from '../tracing/resource.js';
import type { Metric, MetricsReader } from './metrics-reader.js';

const ANSWERED_WITHIN_MS = 10_000;
/** How OTLP counts what grows from the start of the process on. */
const CUMULATIVE = 2;

/** Sends the metrics of this process to a collector of OpenTelemetry. What it does not take is in the next sending: all are sums. */
export class MetricsExport {
  private readonly startTimeUnixNano = nanoseconds(performance.timeOrigin);
  private readonly resource = attributesOf({ ...resource().attributes, 'service.instance.id': randomUUID() });
  private readonly timer: NodeJS.Timeout;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly to: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>>; readonly everyMs: number },
    private readonly reader: MetricsReader,
    private readonly log: Log,
  ) {
    this.timer = setInterval(() => this.send(), to.everyMs).unref();
  }

  /** Sends what has changed since the last time. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.send();
    await this.sending;
  }

  private send(): void {
    this.sending = this.sending
      .then(() => this.post())
      .catch((error: Error) => this.log.warn({ reason: error.message }, 'metrics not sent'));
  }

  private async post(): Promise<void> {
    const metrics = (await this.reader.values()).map((metric) => this.written(metric, nanoseconds(Date.now())));
    const scopeMetrics = [{ scope: { name: 'claims-api' }, metrics }];
    const body = JSON.stringify({ resourceMetrics: [{ resource: { attributes: this.resource }, scopeMetrics }] });
    const { ok, status } = await fetch(`${this.to.endpoint}/v1/metrics`, {
      method: 'POST',
      headers: { ...this.to.headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    if (!ok) throw new Error(`The collector answered ${status}.`);
  }

  /** A collector that shows them to Prometheus adds `_total` again. */
  private written({ name, help, type, values }: Metric, timeUnixNano: string): object {
    const at = { startTimeUnixNano: this.startTimeUnixNano, timeUnixNano };
    const about = { name: name.replace(/_total$/, ''), description: help, ...(/_seconds(_total)?$/.test(name) && { unit: 's' }) };
    const sum = { aggregationTemporality: CUMULATIVE };
    if (String(type) === 'histogram') return { ...about, histogram: { ...sum, dataPoints: histogramsOf(values, at) } };
    const dataPoints = values.map(({ value, labels }) => ({ ...at, attributes: attributesOf(labels), asDouble: value }));
    return { ...about, ...(String(type) === 'counter' ? { sum: { ...sum, isMonotonic: true, dataPoints } } : { gauge: { dataPoints } }) };
  }
}

/** A value of a histogram: of one bucket, the sum or the count. */
type NamedValue = Metric['values'][number] & { readonly metricName: string };

/** Prometheus counts all up to a bound, OTLP those between two. */
function histogramsOf(values: Metric['values'], at: object): object[] {
  const byLabels = new Map<string, NamedValue[]>();
  for (const value of values as NamedValue[]) {
    const { le: _bound, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    byLabels.set(key, [...(byLabels.get(key) ?? []), value]);
  }
  return [...byLabels].map(([labels, all]) => {
    const named = (end: string) => all.filter(({ metricName }) => metricName.endsWith(end));
    const upTo = named('_bucket').map(({ value }) => value);
    return {
      ...at,
      attributes: attributesOf(JSON.parse(labels) as object),
      count: named('_count')[0]?.value ?? 0,
      sum: named('_sum')[0]?.value ?? 0,
      bucketCounts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
      explicitBounds: named('_bucket').flatMap(({ labels: { le } }) => (le === '+Inf' ? [] : Number(le))),
    };
  });
}

const attributesOf = (values: object): object[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));

const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;
