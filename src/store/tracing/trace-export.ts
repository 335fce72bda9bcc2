import { ROOT_CONTEXT, type Context, SpanKind, SpanStatusCode, trace, TraceFlags, type Span, type Tracer } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import { inTime } from '../../kernel/in-time.js';
import { Problem } from '../../kernel/problems.js';
import type { Attributes, OpenTrace, Trace, TraceStart } from '../../kernel/trace.js';
import { resource, SERVICE } from './resource.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** How long the end of the process may wait for the collector. */
const CLOSE_WITHIN_MS = 2000;
/** Steps of a trace that are held until something fails. Those that come after them are not in it. */
const MAX_HELD = 100;

/** OpenTelemetry's own tracer. What its collector does not take in time is dropped: calls never wait for it. */
export class TraceExport {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  /** A caller that traces everything does not decide what we trace. */
  private readonly byId: TraceIdRatioBasedSampler;

  constructor(
    endpoint: string,
    /** Of what begins here, how much is traced. */
    private readonly share: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.byId = new TraceIdRatioBasedSampler(share);
    this.provider = new BasicTracerProvider({
      resource: resource(),
      // Spans are made of what is kept only.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [
        new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } }), {
          exportTimeoutMillis: 5000,
        }),
      ],
    });
    this.tracer = this.provider.getTracer(SERVICE);
  }

  begin({ name, kind, traceparent }: TraceStart): OpenTrace {
    const parent = traceparent ? parseTraceParent(traceparent) : null;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
    // A client has its traceparent from ourselves, so that trace is kept.
    const isSampled = kind === 'client' || (parent ? this.isSampled(parent.traceId) : Math.random() < this.share);
    return new HeldSpan({ tracer: this.tracer, isSampled, writes: isSampled ? undefined : [] }, name, KINDS[kind], () => context);
  }

  private isSampled(traceId: string): boolean {
    return this.byId.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }

  async close(): Promise<void> {
    await inTime(this.provider.shutdown(), CLOSE_WITHIN_MS, () => new Error('The collector is late.')).catch(() => undefined);
  }
}

interface Held {
  readonly tracer: Tracer;
  readonly isSampled: boolean;
  /** Spans that have ended, until something fails; undefined once the trace is kept. */
  writes: (() => void)[] | undefined;
}

const now = (): number => performance.timeOrigin + performance.now();

/** OpenTelemetry's span is made when it is asked for: making ids takes longer than all that metrics do, and most traces are not kept. */
class HeldSpan implements OpenTrace {
  private readonly startTime = now();
  private made: Span | undefined;

  constructor(
    private readonly held: Held,
    private readonly name: string,
    private readonly kind: SpanKind,
    private readonly contextOf: () => Context,
  ) {}

  private get span(): Span {
    return (this.made ??= this.held.tracer.startSpan(this.name, { kind: this.kind, startTime: this.startTime }, this.contextOf()));
  }

  get traceparent(): string | undefined {
    if (!this.held.isSampled) return undefined;
    const { traceId, spanId } = this.span.spanContext();
    return `00-${traceId}-${spanId}-0${TraceFlags.SAMPLED}`;
  }

  get traceId(): string | undefined {
    return this.held.writes ? undefined : this.span.spanContext().traceId;
  }

  keep(): string {
    const { writes } = this.held;
    this.held.writes = undefined;
    writes?.forEach((write) => write());
    return this.span.spanContext().traceId;
  }

  async step<T>(name: string, work: (step: Trace) => Promise<T>, about?: Attributes): Promise<T> {
    const kind = about ? SpanKind.INTERNAL : SpanKind.CLIENT;
    const step = new HeldSpan(this.held, name, kind, () => trace.setSpan(ROOT_CONTEXT, this.span));
    let type: string | undefined;
    try {
      return await work(step);
    } catch (error) {
      // Its message may have what callers have sent.
      type = typeOf(error);
      throw error;
    } finally {
      const known = about ?? { 'db.system.name': 'postgresql', 'db.query.summary': name };
      step.end({ isError: type !== undefined, attributes: { ...known, ...(type !== undefined && { 'error.type': type }) } });
    }
  }

  end({ name, isError, attributes }: Parameters<OpenTrace['end']>[0]): void {
    const endTime = now();
    if (isError) this.keep();
    const write = (): void => {
      if (name !== undefined) this.span.updateName(name);
      if (attributes) this.span.setAttributes(attributes);
      if (isError) this.span.setStatus({ code: SpanStatusCode.ERROR });
      this.span.end(endTime);
    };
    const { writes } = this.held;
    if (!writes) write();
    else if (writes.length < MAX_HELD) writes.push(write);
  }
}

/** The code of a problem, of Postgres or of the system; undefined for what is no fault of ours, as a constraint that is violated (23…). */
function typeOf(error: unknown): string | undefined {
  const { code, name } = error as Error & { code?: string };
  if (error instanceof Problem ? error.status < 500 : code?.startsWith('23')) return undefined;
  return code ?? name;
}
