import type { DetailLine, Report } from './report.js';
import { claimedLines } from './tables.js';

/**
 * The numbers of the items of a report, from 1: by category, then by day, then in the order of the statements. Every file that names
 * an item has them from here. Counts the items of each day instead of sorting them, because there may be millions.
 */
export class ItemNumbers {
  private readonly next = new Map<string, number>();

  constructor(report: Report) {
    const counts = new Map<string, number>();
    for (const line of claimedLines(report)) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
    let number = 1;
    for (const key of [...counts.keys()].sort()) {
      this.next.set(key, number);
      number += counts.get(key)!;
    }
  }

  /** The number of a claimed line. To be asked once for each, and for those of a category and day in the order of the report's lines. */
  take(line: DetailLine): number {
    const key = keyOf(line);
    const number = this.next.get(key)!;
    this.next.set(key, number + 1);
    return number;
  }
}

/** Sorts as text: the categories of a report are fewer than a billion. */
const keyOf = ({ categoryIndex, bookedOn }: DetailLine): string => `${String(categoryIndex).padStart(9, '0')} ${bookedOn}`;
