/** A column that holds what `Secrets` has encrypted. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** What a value is bound to, from the values of the key in their order. */
  readonly owner: (...key: string[]) => string;
  /** Set where values are large: how many are encrypted again at once. */
  readonly rowsAtOnce?: number;
}

/** Whoever stores encrypted values names their columns, so that an encryption key can be retired. */
export abstract class EncryptedColumns {
  abstract readonly encrypted: readonly EncryptedColumn[];
}
