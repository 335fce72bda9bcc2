import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

const FILE = 'docker/compose.yaml';

/** The compose file with the variables of an environment, read as Compose reads it. Throws what it says of a variable that is missing. */
export function composeFile(env: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(FILE, 'utf8').replaceAll(/^ *#.*\n/gm, '');
  const filled = text.replaceAll(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (found, name?: string, sign?: string, rest = '') => {
    if (name === undefined) return found.slice(1);
    if (env[name]) return env[name];
    if (sign === '-') return rest;
    throw new Error(`required variable ${name} is missing a value: ${rest}`);
  });
  return parse(filled, { merge: true }) as ComposeFile;
}

/** What docker/first-start.sh writes. */
export const readEnvironment = (file: string): Record<string, string> =>
  Object.fromEntries([...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
