import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CleanCheckout, Finished } from './clean-checkout.js';

const EXAMPLE = 'examples/extension-suppliers';
export const EXTENSION = 'src/extensions/purchasing';
const LIST = 'src/extensions/index.ts';

/** The worked example in a checkout: put in and taken out as its README says. */
export class ExampleExtension {
  private constructor(
    private readonly checkout: CleanCheckout,
    private readonly copy: string,
    private readonly listed: string,
    private readonly empty: string,
    /** What to run afterwards. */
    readonly commands: readonly string[],
  ) {}

  static async in(checkout: CleanCheckout): Promise<ExampleExtension> {
    const readme = await readFile(checkout.path(EXAMPLE, 'README.md'), 'utf8');
    const [[, copy = ''] = [], [, commands = ''] = []] = readme.matchAll(/^```sh\n([^]*?)^```$/gm);
    const [, listed = ''] = /^```ts\n([^]*?)^```$/m.exec(readme) ?? [];
    const empty = await readFile(checkout.path(LIST), 'utf8');
    return new ExampleExtension(checkout, copy.trim(), listed, empty, commands.trim().split('\n'));
  }

  async putIn(): Promise<Finished> {
    await rm(this.checkout.path(EXTENSION), { recursive: true, force: true });
    const copied = await this.checkout.run(this.copy);
    await writeFile(this.checkout.path(LIST), this.listed);
    return copied;
  }

  /** As it was before version 1.1, which added tax numbers. */
  async putInVersionBefore(): Promise<void> {
    await this.putIn();
    const folder = this.checkout.path(EXTENSION);
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/\.tsx?$/.test(name) || name.startsWith('test/')) continue;
      const text = await readFile(join(folder, name), 'utf8');
      if (name.endsWith('-add-tax-ids.ts')) await rm(join(folder, name));
      else await writeFile(join(folder, name), withoutTaxIds(text));
    }
  }

  async takeOut(): Promise<void> {
    await rm(this.checkout.path(EXTENSION), { recursive: true });
    await rm(this.checkout.path('src/extensions/documents'), { recursive: true });
    await writeFile(this.checkout.path(LIST), this.empty);
  }

  async edit(path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await readFile(this.checkout.path(path), 'utf8');
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`${path} no longer has ${String(from)}.`);
    await writeFile(this.checkout.path(path), edited);
  }
}

const withoutTaxIds = (text: string): string =>
  text
    .replace(/, AddTaxIds\d+(?=\])/, '')
    .replaceAll(/taxId: null, |(?<=[{,] ?)taxId, /g, '')
    .split('\n')
    .filter((line) => !/taxId|AddTaxIds|Tax number/.test(line))
    .join('\n');
