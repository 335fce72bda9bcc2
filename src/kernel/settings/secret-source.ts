import { StartError, SettingsError } from './settings.js';
import { MAX_BYTES, textOfSetting } from './text-of-setting.js';

/** The settings that hold secrets. A source is asked for these, and for no others. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'SMTP_URL',
  'ENCRYPTION_KEY',
] as const;
export type SecretSetting = (typeof SECRET_SETTINGS)[number];

/** Where the secrets of the settings come from: the environment and its files by default. It is asked before anything else is there. */
export abstract class SecretSource {
  /**
   * The value of a setting. `given` is what the environment has, or the file that NAME_FILE names: perhaps a value that a KMS has wrapped.
   * undefined: what was given is the value. Of a StartError the operator reads the message, which must not quote a secret; of any other
   * error only its name.
   */
  abstract read(name: SecretSetting, given: string | undefined, signal: AbortSignal): Promise<string | undefined>;
}

const WITHIN_MS = 15_000;

/** The environment with the secrets in it. Throws one error that names every setting which the source does not give. */
export async function withSecrets(env: NodeJS.ProcessEnv, source: SecretSource, withinMs = WITHIN_MS): Promise<NodeJS.ProcessEnv> {
  const signal = AbortSignal.timeout(withinMs);
  const read = await Promise.allSettled(SECRET_SETTINGS.map(async (name) => ({ name, value: await readValue(name, env, source, signal) })));
  const problems = read.flatMap((result, index) =>
    result.status === 'rejected' ? [`${SECRET_SETTINGS[index]} ${reasonOf(result.reason)}`] : [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
  const found = read.flatMap((result) => (result.status === 'fulfilled' && result.value.value !== undefined ? [result.value] : []));
  return Object.assign(
    { ...env },
    ...found.map(({ name, value }) => ({ [name]: value, [`${name}_FILE`]: undefined })),
  ) as NodeJS.ProcessEnv;
}

async function readValue(
  name: SecretSetting,
  env: NodeJS.ProcessEnv,
  source: SecretSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  let given: string | undefined;
  try {
    given = textOfSetting(env, name);
  } catch {
    // Settings say what is wrong with it.
    return undefined;
  }
  const value: unknown = await Promise.race([source.read(name, given, signal), timedOut(signal)]);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > MAX_BYTES)
    throw new StartError(`the source of secrets answered something else than a text of 1 to ${MAX_BYTES} characters`);
  return value;
}

function timedOut(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (): void => reject(new StartError('the source of secrets took too long'));
    if (signal.aborted) refuse();
    signal.addEventListener('abort', refuse, { once: true });
  });
}

function reasonOf(error: unknown): string {
  const why = error instanceof StartError ? error.message : error instanceof Error ? error.name : 'not an error';
  return `cannot be read (${why})`;
}
