import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { Log } from '../../kernel/log.js';
import { gauge, METRICS } from '../../kernel/metrics.js';
import { API_VERSION } from '../../kernel/product.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../discovery/ports.js';
import { Gauges } from './gauges.js';

const INFO = gauge('info', 'The version of this process and what it does; always 1.', ['version', 'role']);
const UNREAD = gauge('gauges_unread', 'Groups of gauges that could not be read this time, as while the database is away.');
/** Prometheus waits for ten seconds by default. What the database does not say within this is left out. */
const READ_WITHIN_MS = 2000;

/** A metric with its values, for another process. */
export type Metric = MetricObjectWithValues<MetricValue<string>>;

@Injectable()
export class MetricsReader {
  private reading: Promise<void> | undefined;

  constructor(
    private readonly ports: Ports,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /** Before the first reading, in a process that is asked for its metrics: memory, garbage collection, event loop. */
  begin(): void {
    collectDefaultMetrics({ register: METRICS });
    INFO.set({ version: API_VERSION, role: this.settings.role }, 1);
  }

  async text(): Promise<string> {
    await this.read();
    return METRICS.metrics();
  }

  async values(): Promise<Metric[]> {
    await this.read();
    return METRICS.getMetricsAsJSON();
  }

  /** All who ask at once share one reading. */
  private read(): Promise<void> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = undefined)));
  }

  private async readAll(): Promise<void> {
    const read = await Promise.all(this.ports.all(Gauges).map((gauges) => this.isRead(gauges)));
    UNREAD.set(read.filter((isRead) => !isRead).length);
  }

  private async isRead(gauges: Gauges): Promise<boolean> {
    const timeout = new AbortController();
    try {
      const late = delay(READ_WITHIN_MS, 'late', timeout);
      return (await Promise.race([gauges.readGauges(), late])) !== 'late';
    } catch (error) {
      this.log.debug({ err: error }, 'gauges not read');
      return false;
    } finally {
      timeout.abort();
    }
  }
}
