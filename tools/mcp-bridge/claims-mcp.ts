#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addressOf, bridge, BridgeError } from './bridge.js';

const HELP = `Tools of the Claims API for hosts that start a program. It speaks MCP over stdio.

  CLAIMS_BASE_URL      the address of the service, such as https://claims.example.com
  CLAIMS_API_KEY       an API key; or, instead of it,
  CLAIMS_ACCESS_TOKEN  an OAuth access token for the tool server

  --readonly           only read-only tools
  --toolsets <list>    only tools of these capabilities, separated by commas
  --tools <list>       further sets of tools, separated by commas: claims
`;
const OPTIONS = {
  readonly: { type: 'boolean' },
  toolsets: { type: 'string' },
  tools: { type: 'string' },
  help: { type: 'boolean' },
} as const;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const log = (text: string): void => void process.stderr.write(`claims-mcp: ${text}\n`);

function optionsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new BridgeError((error as Error).message);
  }
}

/** Credentials are sent there: in the clear only within this machine. */
function serviceIn({ CLAIMS_BASE_URL: address = '' }: NodeJS.ProcessEnv): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new BridgeError('CLAIMS_BASE_URL must be the address of the service, such as https://claims.example.com.');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new BridgeError(`Credentials are not sent to ${url.origin}, since everyone on the way could read them: use https.`);
  return address.replace(/\/+$/, '');
}

function credentialIn({ CLAIMS_API_KEY: key, CLAIMS_ACCESS_TOKEN: token }: NodeJS.ProcessEnv): Record<string, string> {
  if (!key === !token) throw new BridgeError('Set either CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN.');
  return key ? { 'x-api-key': key } : { authorization: `Bearer ${token}` };
}

async function run(): Promise<void> {
  const { help = false, ...wishes } = optionsIn(process.argv.slice(2));
  if (help) return void process.stdout.write(HELP);
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
  const headers = { ...credentialIn(process.env), 'user-agent': `claims-mcp/${version}` };
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  await bridge(process.stdin, { address: addressOf(serviceIn(process.env), wishes), headers: () => Promise.resolve(headers), write, log });
}

try {
  await run();
} catch (error) {
  if (!(error instanceof BridgeError)) throw error;
  log(error.message);
  process.exitCode = 1;
}
