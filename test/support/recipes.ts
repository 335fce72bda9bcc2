import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The guides of ports, which show the files of one extension. */
export const PORT_GUIDES = ['extending-ports', 'extending-services', 'extending-words'] as const;

/** The files that they show, by their names. Each block begins with a comment that says where it is. */
export async function recipesOfPorts(): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(PORT_GUIDES.map((name) => readFile(`docs/${name}.md`, 'utf8')));
  const blocks = texts.join('\n').matchAll(/^```\w+\n(?:\/\/|<!--) src\/extensions\/(\S+)(?: -->)?\n([^]*?)^```$/gm);
  return new Map([...blocks].map(([, name, text]) => [name!, text!]));
}

/** Writes them where tests can import them as they are: only the way to the sources is another one. */
export async function writeRecipes(recipes: ReadonlyMap<string, string>) {
  await mkdir('.test-data', { recursive: true });
  const folder = await mkdtemp(join(process.cwd(), '.test-data', 'recipes-'));
  // Decorators are compiled as this says, which is looked for beside the file.
  await writeFile(join(folder, 'tsconfig.json'), '{ "extends": "../../tsconfig.json", "include": ["**/*.ts"] }');
  for (const [name, text] of recipes) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text.replaceAll("'../../extension-", "'../../../src/extension-"));
  }
  return {
    load: <T>(name: string) => import(/* @vite-ignore */ join(folder, name)) as Promise<T>,
    remove: () => rm(folder, { recursive: true }),
  };
}
