/** What a call did, if there is a collector. It is sent there if the call is sampled, or as soon as something fails. */
export interface Trace {
  /** Of a sampled one: for the process that goes on with what this has begun, in the form of W3C Trace Context. */
  readonly traceparent: string | undefined;
  /** For lines of the log; undefined as long as nobody would find it. */
  readonly traceId: string | undefined;
  /** A step of it, with a name that has no values in it: a statement, unless something else is said about it. */
  step<T>(name: string, work: (step: Trace) => Promise<T>, about?: Attributes): Promise<T>;
  /** The call has failed, though no step has: returns the id for its line in the log. */
  keep(): string;
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
