import { createHash } from 'node:crypto';
import { keyOf } from '../named-column.js';
import type { WrittenLayout } from './written-layout.js';

/** Equal for headers with equal names, in whatever order, case and accents. */
export const fingerprintOf = (header: readonly string[]): string =>
  createHash('sha256')
    .update([...keysOf(header)].sort().join(' '))
    .digest('hex');

export const keysOf = (header: readonly string[]): ReadonlySet<string> => new Set(header.map(keyOf).filter(Boolean));

export const headerOf = ({ header, columns }: WrittenLayout): readonly string[] => [...(header ?? []), ...Object.keys(columns)];

/** null for files without a header, of which nothing shows that the layout is theirs. */
export const fingerprintOfLayout = (layout: WrittenLayout): string | null =>
  layout.width === undefined ? fingerprintOf(headerOf(layout)) : null;
