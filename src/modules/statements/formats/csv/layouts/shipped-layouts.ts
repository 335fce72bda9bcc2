import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolder } from '../../../../../api/http/package-folder.js';
import { fingerprintOfLayout, type WrittenLayout } from './written-layout.js';

/**
 * The layouts of banks and cards that are part of the program, by their whole names: `de/n26` is the layout `n26` of `layouts/de.json`.
 * There is a file for each country, and one each for cards and fintechs. Each layout is what people write for `--layout`.
 */
export const SHIPPED: readonly WrittenLayout[] = readdirSync(join(packageFolder(), 'layouts'))
  .toSorted()
  .flatMap((file) => {
    const layouts = JSON.parse(readFileSync(join(packageFolder(), 'layouts', file), 'utf8')) as WrittenLayout[];
    return layouts.map((layout) => ({ ...layout, name: `${basename(file, '.json')}/${layout.name}` }));
  });

const BY_FINGERPRINT: ReadonlyMap<string | null, WrittenLayout> = new Map(SHIPPED.map((layout) => [fingerprintOfLayout(layout), layout]));
const BY_NAME: ReadonlyMap<string, WrittenLayout> = new Map(SHIPPED.map((layout) => [layout.name, layout]));

export const shippedByFingerprint = (fingerprint: string): WrittenLayout | undefined => BY_FINGERPRINT.get(fingerprint);
export const shippedByName = (name: string): WrittenLayout | undefined => BY_NAME.get(name);
