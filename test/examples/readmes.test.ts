import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { exampleNames } from '../support/examples.js';

const names = await exampleNames();
const { name, version } = JSON.parse(await readFile('client/package.json', 'utf8')) as { name: string; version: string };
/** What `npm pack --workspace client` makes in the root of the repository. */
const ARCHIVE = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

it.each(names)('examples/%s installs the archive that its README makes, and starts by the command that it names', async (example) => {
  const [readme, text] = await Promise.all(['README.md', 'package.json'].map((file) => readFile(`examples/${example}/${file}`, 'utf8')));
  const { dependencies, scripts = {} } = JSON.parse(text!) as { dependencies: Record<string, string>; scripts?: Record<string, string> };
  expect(dependencies[name]).toBe(`file:../../${ARCHIVE}`);
  const [, commands = ''] = /^```sh\n([^]+?)^```/m.exec(readme!)!;
  const [pack, install, ...start] = commands.trim().split('\n');
  expect(pack).toMatch(/^\(cd \.\.\/\.\. && npm pack --workspace client\)/);
  expect(install).toBe('npm install');
  for (const command of start) {
    const [, script] = / ?npm (?:run )?(\w+)$/.exec(command) ?? [];
    if (script) expect(scripts).toHaveProperty(script);
    else await readFile(`examples/${example}/${/ node (\S+)/.exec(command)![1]!}`);
  }
});
