import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Span, type Tracer } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import { inTime } from '../../kernel/in-time.js';
import { API_VERSION } from '../../kernel/product.js';
import type { OpenTrace, Trace, TraceStart } from '../../kernel/trace.js';

const SERVICE = 'claims-api';
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** How long the end of the process may wait for the collector. */
const CLOSE_WITHIN_MS = 2000;

/** OpenTelemetry's own tracer. What its collector does not take in time is dropped: calls never wait for it. */
export class TraceExport {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(
    endpoint: string,
    /** Of what begins here, how much is traced. */
    private readonly share: number,
  ) {
    const byId = new TraceIdRatioBasedSampler(share);
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': SERVICE, 'service.version': API_VERSION }),
      // A caller that traces everything does not decide what we trace.
      sampler: new ParentBasedSampler({ root: new AlwaysOnSampler(), remoteParentSampled: byId, remoteParentNotSampled: byId }),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), { exportTimeoutMillis: 5000 })],
    });
    this.tracer = this.provider.getTracer(SERVICE);
  }

  begin({ name, kind, traceparent }: TraceStart): OpenTrace | undefined {
    const parent = traceparent ? parseTraceParent(traceparent) : null;
    // Most requests end here. OpenTelemetry would make ids first, which takes longer than all that metrics do.
    if (!parent && Math.random() >= this.share) return undefined;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: KINDS[kind] }, context);
    return span.isRecording() ? new RecordedTrace(this.tracer, span) : undefined;
  }

  async close(): Promise<void> {
    await inTime(this.provider.shutdown(), CLOSE_WITHIN_MS, () => new Error('The collector is late.')).catch(() => undefined);
  }
}

class RecordedTrace implements OpenTrace {
  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
  ) {}

  get traceparent(): string {
    const { traceId, spanId } = this.span.spanContext();
    return `00-${traceId}-${spanId}-0${TraceFlags.SAMPLED}`;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  async step<T>(name: string, work: (step: Trace) => Promise<T>): Promise<T> {
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT }, trace.setSpan(ROOT_CONTEXT, this.span));
    const step = new RecordedTrace(this.tracer, span);
    try {
      const result = await work(step);
      step.end({ isError: false });
      return result;
    } catch (error) {
      // Its message may have what callers have sent.
      step.end({ isError: true });
      throw error;
    }
  }

  end({ name, isError, attributes }: Parameters<OpenTrace['end']>[0]): void {
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes(attributes);
    if (isError) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}
