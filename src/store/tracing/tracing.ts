import type { OnApplicationShutdown } from '@nestjs/common';
import type { Settings } from '../../kernel/settings/settings.js';
import type { OpenTrace, TraceStart } from '../../kernel/trace.js';
import type { TraceExport } from './trace-export.js';

/** Traces for the collector at OTEL_EXPORTER_OTLP_ENDPOINT. Without one, nothing is traced and nothing is loaded. */
export class Tracing implements OnApplicationShutdown {
  static readonly OFF = new Tracing(undefined);

  static async by({ tracesEndpoint, traceShare, collectorHeaders }: Settings): Promise<Tracing> {
    if (tracesEndpoint === undefined) return Tracing.OFF;
    const { TraceExport } = await import('./trace-export.js');
    return new Tracing(new TraceExport(tracesEndpoint, traceShare, collectorHeaders));
  }

  private constructor(private readonly traces: TraceExport | undefined) {}

  async onApplicationShutdown(): Promise<void> {
    await this.traces?.close();
  }

  get isOn(): boolean {
    return this.traces !== undefined;
  }

  /** Undefined without a collector. */
  begin(start: TraceStart): OpenTrace | undefined {
    return this.traces?.begin(start);
  }
}
