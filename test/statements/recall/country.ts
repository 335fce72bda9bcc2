/**
 * How people, banks and firms of a country write. Nothing here comes from the lists of the product, or goes into them: what is measured
 * has to be strange to the rules. Names are put together by chance, so they are nobody's.
 */
export interface Country {
  /** What a report of the measure calls it. */
  readonly name: string;
  /** ISO 3166, for the numbers of its accounts. */
  readonly code: string;
  /** Separated by blanks. */
  readonly given: string;
  /** Separated by blanks; a low line stands for a blank within a name. */
  readonly family: string;
  /** Every stem with every ending is a family name that few people have. */
  readonly stems: string;
  readonly endings: string;
  /** Ways to write a name: `G` given, `F` family, `g` initial. A way that is repeated is more frequent. */
  readonly names: readonly string[];
  /** Separated by commas. */
  readonly streets: string;
  readonly towns: string;
  /** Ways to write an address: `{street}`, `{house}`, `{zip}`, `{town}`. */
  readonly addresses: readonly string[];
  /** `#` is any digit, `*` a digit but zero, `@` a letter. */
  readonly zips: readonly string[];
  readonly phones: readonly string[];
  /** `D`, `M` and `Y` are day, month and year. */
  readonly dates: readonly string[];
  /** Separated by commas. Firms as they are named in transfers, and shops as terminals name them. */
  readonly firms: string;
  readonly shops: string;
  readonly months: string;
  /**
   * Lines of statements: the description, or the counterparty, a bar and the description. A plus at the beginning is money in.
   * `{person}` `{surname}` `{address}` `{phone}` `{email}` `{iban}` `{account}` `{card}` `{id}` `{birth}` are personal, `{firm}` and
   * `{shop}` have to stay readable, and the rest (`{date}` `{month}` `{number}` `{reference}` `{town}`) does not matter.
   */
  readonly lines: readonly string[];
}
