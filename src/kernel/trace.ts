/** What belongs to a call that is traced. Calls that are not have none, so they cost nothing. */
export interface Trace {
  /** For the process that goes on with what this has begun, in the form of W3C Trace Context. */
  readonly traceparent: string;
  /** For lines of the log. */
  readonly traceId: string;
  /** A step of it, with a name that has no values in it. */
  step<T>(name: string, work: (step: Trace) => Promise<T>): Promise<T>;
}

/** A trace of which this process knows the end. */
export interface OpenTrace extends Trace {
  end(facts: { readonly name?: string; readonly isError: boolean; readonly attributes?: Attributes }): void;
}

export type Attributes = Readonly<Record<string, string | number>>;

export interface TraceStart {
  readonly name: string;
  readonly kind: 'server' | 'client';
  /** Of what has begun it elsewhere. */
  readonly traceparent?: string | null | undefined;
}
