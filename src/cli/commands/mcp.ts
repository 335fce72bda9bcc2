import type { Command } from 'commander';
import { userAgentOf } from '../../kernel/product.js';
import { StartError } from '../../kernel/settings/settings.js';
import type { ToolOptions } from '../../../tools/mcp-bridge/index.js';
import { tokenFromOtherProcess, loginAt, serviceNamed } from '../logins.js';

/** Credentials come from environment variables: everybody on the machine can read the arguments of a process. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description(
      'Serve tools to a language model over stdio. Set CLAIMS_BASE_URL, and CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN, or run `claims login`.',
    )
    .option('--readonly', 'only read-only tools')
    .option('--toolsets <list>', 'only tools of these capabilities, separated by commas')
    .option('--tools <list>', 'further sets of tools, separated by commas: claims')
    .action(async (options: ToolOptions) => {
      const { CLAIMS_BASE_URL = 'http://127.0.0.1:3000' } = process.env;
      const service = serviceNamed(CLAIMS_BASE_URL);
      const credential = credentialFor(service);
      const { addressOf, bridge, BridgeError } = await import('../../../tools/mcp-bridge/index.js');
      // Clients show stderr as the log of the server.
      const log = (text: string): void => void process.stderr.write(`claims: ${text}\n`);
      const write = (line: string): void => void process.stdout.write(`${line}\n`);
      const headers = async () => ({ ...(await credential()), 'user-agent': userAgentOf('mcp') });
      await bridge(process.stdin, { address: addressOf(service, options), headers, write, log }).catch((error: unknown) => {
        throw error instanceof BridgeError ? new StartError(error.message) : error;
      });
    });
}

/** The header of each call. The token of a login may have to be renewed meanwhile. */
function credentialFor(service: string): () => Promise<Record<string, string>> {
  const { CLAIMS_API_KEY: apiKey, CLAIMS_ACCESS_TOKEN: token } = process.env;
  if (apiKey && token) throw new StartError('Set either CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN.');
  if (apiKey) return () => Promise.resolve({ 'x-api-key': apiKey });
  if (token) return () => Promise.resolve({ authorization: `Bearer ${token}` });
  if (!loginAt(service)) throw new StartError('Set either CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN, or run `claims login`.');
  const tokenNow = tokenFromOtherProcess(service);
  return async () => ({ authorization: `Bearer ${await tokenNow()}` });
}
