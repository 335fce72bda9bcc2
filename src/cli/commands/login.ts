import { Option, type Command } from 'commander';
import { StartError } from '../../kernel/settings/settings.js';
import { loginToken, askForDevice, revoke, tokensOfDevice, keepLogin, loginAt } from '../logins.js';
import { jsonCommand, print, serviceAddress } from '../command.js';

const api = (): Option =>
  new Option('--api <url>', 'URL of the service').env('CLAIMS_BASE_URL').argParser(serviceAddress).default('http://127.0.0.1:3000');

export function addLogin(program: Command): void {
  jsonCommand(program, 'login', 'Sign in at a service, in a browser on any device. The token is kept for other commands.')
    .addOption(api())
    .addOption(
      new Option('--client-id <id>', 'client id of an application that may use device_code').env('CLAIMS_CLIENT_ID').makeOptionMandatory(),
    )
    .option('--scope <scopes>', 'scopes, separated by spaces; default: all of the application')
    .option('--print', 'print the token, and keep nothing')
    .action(login);

  jsonCommand(program, 'logout', 'Revoke and forget the token that `claims login` has kept.').addOption(api()).action(logout);

  jsonCommand(program, 'token', 'Print the access token of `claims login`, renewed if it ends soon.')
    .addOption(api())
    .action(async (options: { api: string; json?: boolean }) => {
      const { accessToken, expiresAt } = await loginToken(options.api);
      print(options, { accessToken, expiresAt }, [accessToken]);
    });
}

async function login(options: { api: string; clientId: string; scope?: string; print?: boolean; json?: boolean }): Promise<void> {
  const { api: service, clientId, scope } = options;
  const device = await askForDevice(service, clientId, scope);
  console.error(`Open ${device.verification_uri} in a browser, and enter the code ${device.user_code}`);
  if (device.verification_uri_complete !== undefined) console.error(`Or open ${device.verification_uri_complete}`);
  const made = await tokensOfDevice(service, clientId, device);
  if (options.print) return print(options, made, [made.accessToken]);
  const file = await keepLogin(service, made);
  print(options, { api: service, scope: made.scope, file }, [`Signed in at ${service}. The token is kept in ${file}`]);
}

async function logout(options: { api: string; json?: boolean }): Promise<void> {
  const { api: service } = options;
  const kept = loginAt(service);
  if (!kept) throw new StartError(`There is no login at ${service}.`);
  const revoked = await revoke(service, kept).then(
    () => undefined,
    (error: Error) => error,
  );
  await keepLogin(service, undefined);
  if (revoked) throw new StartError(`The token is forgotten, but not revoked: ${revoked.message}`);
  print(options, { api: service }, [`Signed out at ${service}.`]);
}
