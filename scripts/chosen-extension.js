import { existsSync, readdirSync } from 'node:fs';

const FOLDER = 'src/extensions';

/** What `--extension NAME` names on the command line: its name and folder. Undefined without it. */
export function chosenExtension(args = process.argv) {
  const at = args.indexOf('--extension');
  if (at < 0) return undefined;
  const names = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}/${name}/extension.ts`));
  const name = args[at + 1];
  if (names.includes(name)) return { name, folder: `${FOLDER}/${name}` };
  console.error(`There is no extension ${name ?? 'without a name'}. There are: ${names.join(', ') || 'none'}.`);
  process.exit(1);
}
