import type { ReadContext } from '../../store/database/unit-of-work.js';

export type SomeRecord = Readonly<Record<string, unknown>>;

/** A port: the records by which one belongs to a project that does not name it, such as the run of a line. */
export abstract class RelatedRecords {
  abstract findRelated(ctx: ReadContext, record: SomeRecord): Promise<readonly object[]>;
}
