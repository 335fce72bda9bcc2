import pg from 'pg';
import { cutOff, parameterText, type ParameterText } from './borrowed.js';
import { declareShown, SHOW, shownBy } from './row-security.js';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

declare const DECLARED: unique symbol;
/** A declared statement, which the server prepares once per connection, under its name. One with an empty name is not kept. */
export interface Sql extends NamedText {
  readonly [DECLARED]: true;
}

/** Whose rows a statement reads and writes. `undefined`: its tables have no rows of organizations. */
export type Scope = 'tenant' | 'organization' | { readonly reason: string } | undefined;

const declared = new Map<string, { readonly text: string; readonly scope: Scope }>();
const twice = new Set<string>();

/** Declares a statement. A test prepares all of them against the migrated tables, so a renamed column fails in seconds. */
export function declareSql(sql: NamedText, scope: Scope, organizationAt?: number): Sql {
  const { name, text } = sql;
  if ((declared.get(name)?.text ?? text) !== text) twice.add(name);
  if (name !== '') declared.set(name, { text, scope });
  declareShown(sql, { name, text, isOfOne: typeof scope === 'string', organizationAt });
  return sql as Sql;
}

/** Declares a statement on tables without rows of organizations. Those with such rows have forms of their own: `tenant-sql.ts`. */
export const prepared = (sql: NamedText): Sql => declareSql(sql, undefined);

/** Those of the files that were loaded, by name. */
export const declaredSql = (): typeof declared => declared;

/** Names of several statements. Only applications with other settings in one process, as tests have them, may have some. */
export const declaredTwice = (): ReadonlySet<string> => twice;

export interface Execution {
  readonly statement: NamedText;
  readonly values: readonly ParameterText[];
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Parameters as they are sent. One that cannot be sent throws, before anything is. */
export const parameters = (values: readonly unknown[]): ParameterText[] => values.map((value) => parameterText(value));

type Row = Record<string, unknown>;
type Column = readonly [name: string, parse: (text: string) => unknown];

/** A statement that a connection was given. `columns` is undefined until the server has described them. */
interface Prepared {
  readonly text: string;
  columns: readonly Column[] | undefined;
}

interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly ParameterText[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

const preparedOn = new WeakMap<pg.PoolClient, Map<string, Prepared>>();
const MISSING_STATEMENT = '26000';

/**
 * Statements as one query of pg. They leave together and are followed by one Sync, so the server answers all of them in one packet.
 * It describes the columns of a statement once per connection: those of a prepared statement never change.
 *
 * When a statement fails, the server skips those behind it. They are asked again, each alone.
 */
export class PreparedStatements extends pg.Query {
  /** The execution that is being answered, and its rows so far. */
  private index = 0;
  private found: Row[] = [];
  /** For each execution, the statement as it was when it was sent. */
  private readonly sent: Prepared[] = [];
  private readonly prepared: Map<string, Prepared>;
  readonly executions: readonly Execution[];

  constructor(
    private readonly client: pg.PoolClient,
    executions: readonly Execution[],
  ) {
    super({ text: '' });
    // Most are on no locked table: a list is not made anew for these.
    this.executions = executions.some(isShowing) ? executions.flatMap((one) => [...showing(one), one]) : executions;
    this.prepared = preparedOn.get(client) ?? new Map<string, Prepared>();
    preparedOn.set(client, this.prepared);
  }

  /** pg calls it to send the query. */
  override submit = (connection: unknown): void | Error => {
    const wire = connection as Wire;
    // Another statement was prepared under its name, and must never be run instead.
    const ambiguous = this.executions.find(({ statement: { name, text } }) => (this.prepared.get(name)?.text ?? text) !== text);
    if (ambiguous) {
      // A COMMIT may be about to leave behind it.
      cutOff(this.client);
      return new TypeError(`Two statements have the name ${ambiguous.statement.name}.`);
    }
    wire.stream.cork();
    for (const { statement, values } of this.executions) {
      const { name, text } = statement;
      const prepared = this.prepared.get(name) ?? this.prepare(wire, name, text);
      wire.bind({ statement: name, values });
      if (prepared.columns === undefined) wire.describe({ type: 'P', name: '' });
      wire.execute({});
      this.sent.push(prepared);
    }
    wire.sync();
    wire.stream.uncork();
    return undefined;
  };

  private prepare(wire: Wire, name: string, text: string): Prepared {
    // It may exist, if a batch has failed. Closing one that does not exist is no error.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
    const prepared: Prepared = { text, columns: undefined };
    this.prepared.set(name, prepared);
    return prepared;
  }

  // The client passes on what the server answers.

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.sent[this.index]!.columns = fields.map(({ name, dataTypeID }): Column => [name, this.client.getTypeParser(dataTypeID, 'text')]);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.found.push(rowOf(this.sent[this.index]!.columns!, fields));
    } catch (error) {
      // A value that its parser cannot read must not end the process.
      this.executions[this.index]!.reject(error);
    }
  }

  handleCommandComplete(): void {
    // Without a description it returns no rows, and need not be asked for one again.
    this.sent[this.index]!.columns ??= [];
    this.executions[this.index]!.resolve(this.found);
    this.index += 1;
    this.found = [];
  }

  handleReadyForQuery(): void {
    // Each statement was answered when it was complete.
  }

  /** The server has refused a statement, or the connection is gone. */
  handleError(error: Error): void {
    const open = this.executions.slice(this.index);
    // Where the setting cannot be made, the statement behind it has failed: each has its own again when it is asked alone.
    const [failed, ...behind] = open.filter(({ statement }) => statement !== SHOW);
    this.index = this.executions.length;
    if (!failed) return;
    if (!(error instanceof pg.DatabaseError)) return [failed, ...behind].forEach(({ reject }) => reject(error));
    for (const { statement } of open) this.prepared.delete(statement.name);
    // An earlier batch was to prepare it, and has failed.
    if (error.code === MISSING_STATEMENT) this.askAlone(failed);
    else failed.reject(error);
    for (const execution of behind) this.askAlone(execution);
  }

  private askAlone({ statement, values, resolve, reject }: Execution): void {
    const ask = shownBy(statement, values) === undefined ? executeOnce : execute;
    ask<Row>(this.client, statement, values).then(resolve, reject);
  }
}

const isShowing = ({ statement, values }: Execution): boolean => shownBy(statement, values) !== undefined;

/** What goes before a statement on locked tables. If it fails, so does the statement. */
function showing({ statement, values }: Execution): Execution[] {
  const shown = shownBy(statement, values);
  return shown === undefined ? [] : [{ statement: SHOW, values: [shown], resolve: () => undefined, reject: () => undefined }];
}

export function execute<Found extends object>(client: pg.PoolClient, statement: NamedText, values: readonly unknown[]): Promise<Found[]> {
  return new Promise<Found[]>((resolve, reject) => {
    const execution = { statement, values: parameters(values), resolve: resolve as Execution['resolve'], reject };
    void client.query(new PreparedStatements(client, [execution]));
  });
}

/** The rows of a statement that is not kept prepared. */
export async function executeOnce<Found extends object>(
  client: Pick<pg.PoolClient, 'query'>,
  { text }: Pick<Sql, 'text'>,
  values: readonly unknown[],
): Promise<Found[]> {
  return (await client.query<Found>({ text, values: [...values] })).rows;
}

function rowOf(columns: readonly Column[], texts: readonly (string | null)[]): Row {
  const row: Row = {};
  for (let index = 0; index < columns.length; index += 1) {
    const [name, parse] = columns[index]!;
    const text = texts[index]!;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}
