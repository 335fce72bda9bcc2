import { USER_ROLES, type UserRole } from '../../src/kernel/roles.js';
import { aDevice, answerDevice, poll } from './devices.js';
import type { DocumentedApp } from './documented-app.js';
import { anApplication, aUser, tokensOf } from './oauth.js';
import { Receiver } from './receiver.js';
import { aDocument, connect } from './shared-clients.js';

/** How an application gets to act for a person. */
const WAYS = ['an authorization code', 'a device', 'a shared application'] as const;
type Way = (typeof WAYS)[number];

export const PEOPLE = USER_ROLES.flatMap((role) => WAYS.map((way) => [role, way] as const));

/** Tokens of people with each role, for which everything was asked and allowed. Needs LOCAL_DOCUMENTS. */
export async function tokensOfPeople(app: DocumentedApp, organization: { readonly id: string }) {
  const tokens = new Map<string, string>();
  const site = await Receiver.start();
  const device = { grants: ['device_code' as const], redirectUris: [], isPublic: true };
  const [ofOrganization, ofDevice] = [await anApplication(app, organization.id), await anApplication(app, organization.id, device)];
  const clientId = aDocument(site);
  for (const role of USER_ROLES) {
    const user = await aUser(app, organization.id, role);
    const partner = { organization: organization as never, user, application: ofOrganization };
    tokens.set(`${role} ${WAYS[0]}`, (await tokensOf(app, partner, { scope: undefined })).accessToken);
    const { userCode, deviceCode } = await aDevice(app, { application: ofDevice });
    await answerDevice(app, { user }, userCode);
    tokens.set(`${role} ${WAYS[1]}`, (await poll(app, { application: ofDevice }, deviceCode)).body.access_token!);
    tokens.set(`${role} ${WAYS[2]}`, (await connect(app, clientId, user, { scope: app.registry.scopes.join(' ') })).accessToken);
  }
  await site.close();
  return (role: UserRole, way: Way) => ({ authorization: `Bearer ${tokens.get(`${role} ${way}`)}` });
}
