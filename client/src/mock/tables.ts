/** What is checked of JSON Schema: what the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** An operation of the API, as far as the mock reads it. */
export interface MockOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** That of a success. */
  readonly status: number;
  readonly params?: Readonly<Record<string, Schema>>;
  readonly query?: Readonly<Record<string, Schema>>;
  /** The name of the body's schema. */
  readonly body?: string;
  /** The same of the form that it takes as well. */
  readonly form?: string;
  /** Whether it takes a merge patch. */
  readonly merge?: true;
  /** Whether it takes an Idempotency-Key. */
  readonly key?: true;
  readonly ifMatch?: true;
}

/** Records that are listed by pages and have an id. */
export interface MockCollection {
  /** What people call one of them. */
  readonly record: string;
  /** The parameter of a path that has its id. */
  readonly parameter: string;
  /** A new record, before it gets what its request says. */
  readonly initial: Readonly<Record<string, unknown>>;
  /** Fields with the time of the creation. */
  readonly times: readonly string[];
  /** Fields that `search` looks in. */
  readonly searched: readonly string[];
}

export interface ProblemText {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly retry: string;
}
