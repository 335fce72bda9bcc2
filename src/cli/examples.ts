import { packageJson } from '../kernel/package-folder.js';

/** What the help of each command shows, without `claims`. A test asks for one of every command. */
export const EXAMPLES = packageJson<Readonly<Record<string, string>>>('docs/command-examples.json');
