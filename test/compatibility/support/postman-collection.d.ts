/** The part of Postman's own model that our tests use. The package has no types. */
declare module 'postman-collection' {
  type Values = Readonly<Record<string, string>>;

  interface List<T> {
    all(): T[];
    toObject(): Values;
  }

  export class Request {
    constructor(definition: object);
    readonly method: string;
    readonly url: { readonly path: readonly string[]; toString(): string };
    readonly body?: { toString(): string };
    getHeaders(options: { enabled: boolean }): Values;
    toJSON(): object;
    toObjectResolved(scope: null, overrides: readonly Values[], options: { ignoreOwnVariables: boolean }): object;
  }

  export interface Item {
    readonly name: string;
    readonly request: Request;
    readonly events: List<{ readonly script: { toSource(): string } }>;
    parent(): { readonly name: string };
    getAuth(): { parameters(): List<unknown> };
  }

  export class Collection {
    constructor(definition: object);
    readonly variables: List<unknown>;
    forEachItem(visit: (item: Item) => void): void;
  }

  export class VariableScope {
    constructor(definition: object);
    readonly name: string;
    set(key: string, value: string, type: string): void;
    toObject(): Values;
  }
}
