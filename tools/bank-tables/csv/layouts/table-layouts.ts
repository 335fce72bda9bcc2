import { UnreadableFile } from '../../../bank-files/index.js';
import type { TableOptions } from '../../reading.js';
import { type Column, DATE_COLUMNS, keyOf } from '../column-names.js';
import { type Columns, columnsNamed } from '../columns.js';
import { AMOUNTS_OF_HEADER, doesNotFit, type Layout, layoutWithHeader, layoutWithoutHeader, MAX_PREAMBLE } from '../layout.js';
import { withHeader, withoutHeader } from '../layout.js';
import type { CsvRecord } from '../../../bank-files/index.js';
import { fingerprintOf, fingerprintOfLayout, headerOf, keysOf } from '../../written-layout.js';
import type { UsedLayout, WrittenLayout } from '../../written-layout.js';

type Sample = readonly CsvRecord[];

/**
 * How the tables of a file are read: by the layout that was named at the import and no other; else by one that the organization
 * has kept for such a header, or that is part of the program; else as its columns are recognised.
 */
export class TableLayouts {
  private readonly given: WrittenLayout | undefined;
  private readonly kept: ReadonlyMap<string | null, WrittenLayout>;

  private readonly shipped: TableOptions['shipped'];

  constructor({ layout, layouts = [], shipped }: Pick<TableOptions, 'layout' | 'layouts' | 'shipped'>) {
    this.given = layout;
    this.shipped = shipped;
    this.kept = new Map(layouts.map((one) => [fingerprintOfLayout(one), one]));
  }

  /** The layout of a table with a header; null if there is no such header. */
  withHeader(sample: Sample): Layout | null {
    const { given } = this;
    if (!given) return this.known(sample) ?? this.recognised(sample);
    const wanted = fingerprintOfLayout(given);
    const found = wanted === null ? -1 : headersIn(sample).findIndex(({ cells }) => fingerprintOf(cells) === wanted);
    if (found < 0) return null;
    const { line } = sample[found]!;
    if (given.headerRow !== undefined && given.headerRow !== line)
      throw doesNotFit(`The header is on line ${line}, but on line ${given.headerRow} in the layout “${given.name}”.`);
    return withHeader(given, 'import', sample, found);
  }

  withoutHeader(sample: Sample): Layout | null {
    if (!this.given) return layoutWithoutHeader(sample);
    return this.given.width === undefined ? null : withoutHeader(this.given, 'import', sample);
  }

  /** Why none of these samples of a file has a layout. */
  notFound(samples: readonly Sample[]): UnreadableFile {
    return this.given ? doesNotFit(misfit(this.given, samples.flatMap(headersIn))) : headerNotFound(samples);
  }

  /** A bank that adds a column has a header of its own, and nobody has said of it what its signs mean. */
  private recognised(sample: Sample): Layout | null {
    const layout = layoutWithHeader(sample);
    if (!layout) return null;
    const header = keysOf(sample[layout.recordsBefore - 1]!.cells);
    const like = [...this.kept.values(), ...[...this.shipped.values()].filter(({ amounts }) => amounts === 'charges-positive')].find(
      (one) => one.width === undefined && areAlike(keysOf(headerOf(one)), header),
    );
    return like ? { ...layout, like: like.name } : layout;
  }

  private known(sample: Sample): Layout | null {
    for (const [index, { cells }] of headersIn(sample).entries()) {
      const fingerprint = fingerprintOf(cells);
      const kept = this.kept.get(fingerprint);
      const shipped = kept ? undefined : this.shipped.get(fingerprint);
      const [written, from]: [WrittenLayout | undefined, UsedLayout['from']] = kept ? [kept, 'organization'] : [shipped, 'shipped'];
      if (written && (written.headerRow ?? sample[index]!.line) === sample[index]!.line) return withHeader(written, from, sample, index);
    }
    return null;
  }
}

const headersIn = (sample: Sample): Sample => sample.slice(0, MAX_PREAMBLE);

/** Whether more than four of five names are in both. */
function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((key) => other.has(key)).length;
  return shared * 5 > (one.size + other.size - shared) * 4;
}

/** The first difference between the layout and the header that is most like it. */
function misfit(layout: WrittenLayout, candidates: Sample): string {
  const { name, width } = layout;
  if (width !== undefined) return `The rows do not have ${width} cells, as the layout “${name}” says.`;
  const wanted = keysOf(headerOf(layout));
  const likeness = ({ cells }: CsvRecord): number => [...keysOf(cells)].filter((key) => wanted.has(key)).length;
  const best = candidates.reduce<CsvRecord | null>((one, other) => (one && likeness(one) >= likeness(other) ? one : other), null);
  if (!best || likeness(best) === 0) return `No line has the header that the layout “${name}” says.`;
  const found = keysOf(best.cells);
  const missing = headerOf(layout).find((column) => !found.has(keyOf(column)));
  if (missing !== undefined) return `The header on line ${best.line} has no column “${missing}”, which the layout “${name}” has.`;
  const more = best.cells.findIndex((cell) => keyOf(cell) !== '' && !wanted.has(keyOf(cell)));
  return `Column ${more + 1} of the header on line ${best.line} is not in the layout “${name}”. Add it to \`columns\` or \`header\`.`;
}

const WAY_OUT = 'Without a header its columns are ambiguous. Add a layout that says what they are.';
const NOTHING_KNOWN =
  `None of the first ${MAX_PREAMBLE} lines is a header with a column for the date, such as “Date” or “Datum”, and one for the ` +
  'amount, such as “Amount” or “Betrag”, or one each for debit and credit.';

/** Names what was looked for, and the line that comes nearest to it. Says nothing of its texts but where they are. */
function headerNotFound(samples: readonly Sample[]): UnreadableFile {
  const heads = samples.flatMap(headersIn);
  let [best, place]: [Columns, number] = [new Map(), 0];
  for (const { cells, line } of heads) {
    const columns = columnsNamed(cells);
    if (columns.size > best.size) [best, place] = [columns, line];
  }
  const indexIn = (wanted: readonly Column[]): number | undefined => wanted.flatMap((column) => best.get(column) ?? [])[0];
  const [date, amount] = [indexIn(DATE_COLUMNS), indexIn(AMOUNTS_OF_HEADER)];
  const index = date ?? amount;
  const [found, missing] = date === undefined ? ['amount', 'the date'] : ['date', 'the amount, or for debit and credit'];
  const nearest = `Line ${place} has a column for the ${found} (column ${(index ?? 0) + 1}), but no name that is known for ${missing}.`;
  return new UnreadableFile('header_not_found', `${index === undefined ? NOTHING_KNOWN : nearest} ${WAY_OUT}`);
}
